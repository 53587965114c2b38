// Counts and lists in texts for the user: numbers with their nouns, sizes in decimal units, as in file
// managers and model pages.

// The first use of `Intl` loads its data, 15 ms that a start does not need.
let oneDigit: Intl.NumberFormat | undefined
const inOneDigit = () => (oneDigit ??= new Intl.NumberFormat('en', { maximumFractionDigits: 1 }))

/** A number with its noun: `1 chat`, `2 chats`, `1,200 memories`. */
export const many = (count: number, one: string, several = `${one}s`, format = inEnglish): string =>
  `${format(count)} ${byCount(count, one, several)}`
const inEnglish = (count: number) => count.toLocaleString('en')

/** The singular or the plural words for a number, such as `the key` and `the keys`. */
export const byCount = (count: number | bigint, one: string, several: string): string =>
  Number(count) === 1 ? one : several

let conjunction: Intl.ListFormat | undefined
/** Names as a part of a sentence: `A, B and C`. */
export const listNames = (names: readonly string[]): string =>
  (conjunction ??= new Intl.ListFormat('en-GB', { type: 'conjunction' })).format(names)

/** Format a size: `512 B`, `3.8 MB`, `4.1 GB`. The same file has the same size everywhere. */
export function formatBytes(bytes: number, digits: Intl.NumberFormat = inOneDigit()): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${digits.format(bytes / 1_000 ** power)} ${units[power]}`
}
