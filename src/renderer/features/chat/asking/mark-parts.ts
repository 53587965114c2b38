const BETWEEN = String.raw`(?:%[0-9a-f]{2}|[^\p{L}\p{N}])*?`

/**
 * A text in turns: plain, marked, plain … `marked` are words as they stand in the chat; an address has the same words with other signs
 * between them, and letters as their bytes.
 */
export function markParts(text: string, marked: readonly string[]): string[] {
  const wanted = marked
    .map(part => part.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter(words => words.length > 0)
    .toSorted((one, other) => other.join('').length - one.join('').length)
  if (wanted.length === 0) return [text]
  const pattern = wanted.map(words => words.map(patternOf).join(BETWEEN)).join('|')
  return text.split(new RegExp(`(${pattern})`, 'iu'))
}

/** A word, each letter as itself or as the bytes that stand for it in an address. */
const patternOf = (word: string): string =>
  Array.from(word, letter => `(?:${letter}|${bytesOf(letter)})`).join('')

const bytesOf = (letter: string): string =>
  Array.from(new TextEncoder().encode(letter), byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
