import type { Refusal } from '../lib/expected-errors.ts'

/** The entry that the model's `old_text` refers to, or why it matches no entry or several. */
export type Located = { at: number } | Refusal

const SHOWN = 80

/**
 * Find the entry that equals the given text, or the only one that contains it. If there is none, the refusal
 * lists the entries, unless `lists` is false.
 */
export function locateEntry(texts: readonly string[], wanted: string, { lists = true } = {}): Located {
  const given = wanted.trim()
  if (given === '') return { refused: 'old_text is empty. Give a part of the entry that is meant.' }
  const equal = texts.findIndex(text => text === given)
  if (equal >= 0) return { at: equal }
  const exact = indexesOf(texts, text => text.includes(given))
  const found = exact.length > 0 ? exact : indexesOf(texts, text => plain(text).includes(plain(given)))
  if (found.length === 1) return { at: found[0]! }
  if (found.length === 0) {
    return { refused: `No entry holds “${previewEntry(given)}”.${lists ? listEntries(texts) : ''}` }
  }
  const which = found.map(at => `- ${previewEntry(texts[at]!)}`).join('\n')
  return {
    refused: `${found.length} entries hold “${previewEntry(given)}”. Give a longer part of the one that is meant:\n${which}`,
  }
}

/** Whether the given text is a whole entry, not just part of it. */
export const isWholeEntry = (text: string, wanted: string): boolean =>
  plain(text.trim()) === plain(wanted.trim())

/** A sentence, followed by a list of the entries. */
export const listEntries = (texts: readonly string[]): string =>
  texts.length === 0
    ? ' There are no entries.'
    : ` The entries are:\n${texts.map(text => `- ${previewEntry(text)}`).join('\n')}`

const indexesOf = (texts: readonly string[], isIt: (text: string) => boolean): number[] =>
  texts.flatMap((text, at) => (isIt(text) ? [at] : []))

/** Small models change case, spaces and quotes when they quote. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[“”„"'’‘`]/g, '')
    .replace(/\s+/g, ' ')

export const previewEntry = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).toWellFormed()}…`
}
