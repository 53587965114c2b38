import type { RunEvent } from '../../../shared/contract/run.ts'

type Retry = Extract<RunEvent, { type: 'retry' }>

/** What was wrong with what the model wrote, and what Talaria did about it. */
export function tellRetry({ reason, instead }: Retry): string {
  return `${FAULTS[reason]}, so Talaria ${instead ? 'says it' : 'asked again'}.`
}

const FAULTS: Record<Retry['reason'], string> = {
  empty: 'The model gave an empty answer',
  looping: 'The model repeated itself',
  same: 'The model gave an earlier answer again',
  echo: 'The model repeated its instructions',
  unreadable: 'The model wrote signs that are no text',
  unfounded: 'What the model wrote does not say what was found',
}
