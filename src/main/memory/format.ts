/** Stands alone on a line between two entries. */
export const SEPARATOR = '§'

/** The entries of a file, in order; white space around them does not count, and neither do empty ones. */
export const parseNotes = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/^[ \t]*§[ \t]*$/m)
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/** The text of a file that holds these entries. */
export const formatNotes = (entries: readonly string[]): string =>
  entries.length === 0 ? '' : `${entries.join(`\n${SEPARATOR}\n`)}\n`

/** Characters that entries take in their file, separators included and the last line feed not. */
export const lengthOf = (entries: readonly string[]): number =>
  entries.reduce((sum, entry) => sum + entry.length, 0) + Math.max(entries.length - 1, 0) * 3

/** An entry as it is kept: one that would fall apart when its file is read again is joined, and ends are trimmed. */
export const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]*§[ \t]*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
