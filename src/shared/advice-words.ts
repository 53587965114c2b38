import { many } from './amounts.ts'
import type { Advice } from './contract/messages.ts'

/** Whose advice an answer had, in one line: `Advice of A and B; none of C`. */
export function sayAdvice({ given }: Advice): string {
  const named = (hasIt: boolean) =>
    given.filter(({ problem }) => (problem === undefined) === hasIt).map(({ model }) => model)
  const [from, without] = [named(true), named(false)].map(names => names.join(', '))
  if (from === '') return `No advice: ${without} gave none`
  return `Advice of ${from}${without === '' ? '' : `; none of ${without}`}`
}

/** How far the references are that are being asked: `Asking 3 models for advice… 2 answered, 1 failed`. */
export function sayAdvising({ models, answered = [], failed = [] }: Advising): string {
  const done = [
    ...(answered.length > 0 ? [`${answered.length} answered`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ]
  return `Asking ${many(models.length, 'model')} for advice…${done.length > 0 ? ` ${done.join(', ')}` : ''}`
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

/** Names as part of a sentence: `A, B and C`. */
export const listNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
