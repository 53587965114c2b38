/** A word of a message that names a file: where its @ stands, where it ends, and what follows the @. */
export type FileWord = { start: number; end: number; query: string }

/** The word with an @ that the caret stands behind; undefined where there is none, as in an address of e-mail. */
export function fileWord(text: string, caret: number): FileWord | undefined {
  const before = text.slice(Math.max(0, caret - 300), caret)
  const query = /(?:^|[\s([{“"'])@([^\s@]*)$/u.exec(before)?.[1]
  if (query === undefined) return undefined
  // In the middle of a word nothing is completed.
  if (/^[^\s)\]},.;:!?”"']/u.test(text.slice(caret))) return undefined
  return { start: caret - query.length - 1, end: caret, query }
}

/** The message with the name of the file in place of the word, and where the caret goes. Alone, the word goes: the chip says it. */
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
