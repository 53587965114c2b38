import { byCount, listNames, many } from '../text/amounts.ts'
import type { Advice, AnswerOffer, StrangersMark } from '../contract/chats/messages.ts'

/** Say which models gave advice for an answer, in one line: `Advice from A, B; none from C`. */
export function sayAdvice({ given }: Advice): string {
  const named = (hasIt: boolean) =>
    given.filter(({ problem }) => (problem === undefined) === hasIt).map(({ model }) => model)
  const [from, without] = [named(true), named(false)].map(names => names.join(', '))
  if (from === '') return `No advice: ${without} gave none`
  return without === '' ? `Advice from ${from}` : `Advice from ${from}; none from ${without}`
}

/** The progress of asking references: `Asking 3 models for advice… 2 answered, 1 failed`. */
export function sayAdvising({ models, answered = [], failed = [] }: Advising): string {
  const done = [
    ...(answered.length > 0 ? [`${answered.length} answered`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ]
  return [`Asking ${many(models.length, 'model')} for advice…`, done.join(', ')].filter(Boolean).join(' ')
}

/** Whether all references have answered or failed. */
export const isAdvised = ({ models, answered = [], failed = [] }: Advising): boolean =>
  answered.length + failed.length >= models.length

/** The references that are asked for advice, by name, and those that have answered or failed. */
export type Advising = {
  models: readonly string[]
  answered?: readonly string[] | undefined
  failed?: readonly string[] | undefined
}

const SAID: Readonly<Record<AnswerOffer['why'], string>> = {
  not_looked: 'Nothing was looked at for this answer.',
  not_done: 'Nothing was done for this answer: no file was changed, and no command ran.',
  not_saved: 'Nothing was saved for this answer.',
  rest: 'One thing is left to do.',
}
const OFF = 'This chat does not have the tool for it now.'

/** The note on an answer that Talaria wrote in place of the model. */
export const BY_TALARIA = 'Said by Talaria, by rules, not by the model.'

/** The remark under an answer that leaves something undone. */
export const sayOffer = ({ why, choices }: AnswerOffer): string =>
  choices.length > 0 ? SAID[why] : `${SAID[why]} ${OFF}`

/** Say whose texts from outside the user has read, for the history of a chat. */
export function sayRead(marks: readonly StrangersMark[]): string {
  const sources = listNames([...new Set(marks.map(({ source }) => source))])
  return byCount(
    marks.length,
    `You have read the text of ${sources}`,
    `You have read the texts of ${sources}`,
  )
}
