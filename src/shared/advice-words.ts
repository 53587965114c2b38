import type { Advice } from './contract/messages.ts'

/** Whose advice an answer had, in one line: `Advice of A and B; none of C`. */
export function sayAdvice({ given }: Advice): string {
  const named = (hasIt: boolean) =>
    given.filter(({ problem }) => (problem === undefined) === hasIt).map(({ model }) => model)
  const [from, without] = [named(true), named(false)].map(names => names.join(', '))
  if (from === '') return `No advice: ${without} gave none`
  return `Advice of ${from}${without === '' ? '' : `; none of ${without}`}`
}

/** Names as part of a sentence: `A, B and C`. */
export const listNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
