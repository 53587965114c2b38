/** A word with @ in a message that names a file: its start, its end, and the text after the @. */
export type FileWord = { start: number; end: number; query: string }

/** The word with @ right before the caret; undefined if there is none, or inside an e-mail address. */
export function fileWord(text: string, caret: number): FileWord | undefined {
  const before = text.slice(Math.max(0, caret - 300), caret)
  const query = /(?:^|[\s([{“"'])@([^\s@]*)$/u.exec(before)?.[1]
  if (query === undefined) return undefined
  // Offer nothing in the middle of a word.
  if (/^[^\s)\]},.;:!?”"']/u.test(text.slice(caret))) return undefined
  return { start: caret - query.length - 1, end: caret, query }
}

/**
 * The message with the file's name in place of the word, and the new caret position. A word that is the whole
 * message is removed, because the chip shows the file.
 */
export function withoutWord(
  text: string,
  { start, end }: FileWord,
  name: string,
): { text: string; caret: number } {
  const before = text.slice(0, start)
  const after = text.slice(end)
  if (before.trim() === '' && after.trim() === '') return { text: '', caret: 0 }
  const gap = /^[\s)\]},.;:!?”"']/u.test(after) ? '' : ' '
  const written = `${before}${name}${gap}`
  return { text: `${written}${after}`, caret: written.length }
}
