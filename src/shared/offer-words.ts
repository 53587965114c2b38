import type { AnswerOffer } from './contract/messages.ts'

const SAID: Readonly<Record<AnswerOffer['why'], string>> = {
  not_looked: 'Nothing was looked at for this answer.',
  not_done: 'Nothing was done for this answer: no file was changed, and no command ran.',
  not_saved: 'Nothing was saved for this answer.',
  rest: 'One thing is left to do.',
}
const OFF = 'This chat does not have the tool for it now.'

/** What stands beside an answer that Talaria gave in place of the model. */
export const BY_TALARIA = 'Said by Talaria, by rules, not by the model.'

/** What Talaria says under an answer that leaves something undone. */
export const sayOffer = ({ why, choices }: AnswerOffer): string =>
  choices.length > 0 ? SAID[why] : `${SAID[why]} ${OFF}`
