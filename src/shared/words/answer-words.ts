import { byCount, listNames, many } from '../text/amounts.ts'
import type { Advice, AnswerOffer, StrangersMark } from '../contract/chats/messages.ts'

/** Whose advice an answer had, in one line: `Advice of A and B; none of C`. */
export function sayAdvice({ given }: Advice): string {
  const named = (hasIt: boolean) =>
    given.filter(({ problem }) => (problem === undefined) === hasIt).map(({ model }) => model)
  const [from, without] = [named(true), named(false)].map(names => names.join(', '))
  if (from === '') return `No advice: ${without} gave none`
  return without === '' ? `Advice of ${from}` : `Advice of ${from}; none of ${without}`
}

/** How far the references are that are being asked: `Asking 3 models for advice… 2 answered, 1 failed`. */
export function sayAdvising({ models, answered = [], failed = [] }: Advising): string {
  const done = [
    ...(answered.length > 0 ? [`${answered.length} answered`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ]
  return [`Asking ${many(models.length, 'model')} for advice…`, done.join(', ')].filter(Boolean).join(' ')
}

/** Whether no reference is being asked any more. */
export const isAdvised = ({ models, answered = [], failed = [] }: Advising): boolean =>
  answered.length + failed.length >= models.length

/** The references that are asked, by their names, and those that are done. */
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

/** What stands beside an answer that Talaria gave in place of the model. */
export const BY_TALARIA = 'Said by Talaria, by rules, not by the model.'

/** What Talaria says under an answer that leaves something undone. */
export const sayOffer = ({ why, choices }: AnswerOffer): string =>
  choices.length > 0 ? SAID[why] : `${SAID[why]} ${OFF}`

/** Says whose texts from outside the person has read, as the history of a chat does. */
export function sayRead(marks: readonly StrangersMark[]): string {
  const sources = listNames([...new Set(marks.map(({ source }) => source))])
  return byCount(
    marks.length,
    `You have read the text of ${sources}`,
    `You have read the texts of ${sources}`,
  )
}
