import type { RunEvent } from '../../../../shared/contract/runs/run.ts'

type Retry = Extract<RunEvent, { type: 'retry' }>

/** What was wrong with the model's answer, and what Talaria did about it. */
export const tellRetry = ({ reason, instead }: Retry): string => (instead ? SAID : ASKED)[reason]

const ASKED: Record<Retry['reason'], string> = {
  empty: 'The model gave an empty answer, so Talaria asked again.',
  looping: 'The model repeated itself, so Talaria asked again.',
  same: 'The model gave an earlier answer again, so Talaria asked again.',
  echo: 'The model repeated its instructions, so Talaria asked again.',
  unreadable: 'The model wrote characters that are not text, so Talaria asked again.',
  unfounded: 'The model’s answer does not say what was found, so Talaria asked again.',
}
const SAID: Record<Retry['reason'], string> = {
  empty: 'The model gave an empty answer, so Talaria reports the result itself.',
  looping: 'The model repeated itself, so Talaria reports the result itself.',
  same: 'The model gave an earlier answer again, so Talaria reports the result itself.',
  echo: 'The model repeated its instructions, so Talaria reports the result itself.',
  unreadable: 'The model wrote characters that are not text, so Talaria reports the result itself.',
  unfounded: 'The model’s answer does not say what was found, so Talaria reports the result itself.',
}
