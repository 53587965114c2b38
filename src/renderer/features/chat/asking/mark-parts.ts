const BETWEEN = String.raw`(?:%[0-9a-f]{2}|[^\p{L}\p{N}])*?`

/**
 * Split a text into alternating parts: plain, marked, plain … `marked` are words from the chat. In an
 * address, the same words have other characters between them, and letters may be percent-encoded.
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

/** A pattern for a word, with each letter as itself or percent-encoded. */
const patternOf = (word: string): string =>
  Array.from(word, letter => `(?:${letter}|${bytesOf(letter)})`).join('')

const bytesOf = (letter: string): string =>
  Array.from(new TextEncoder().encode(letter), byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
