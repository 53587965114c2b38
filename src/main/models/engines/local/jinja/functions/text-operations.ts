import type { RunLimits } from '../run-limits.ts'
import { charactersOf, lengthOf } from '../values.ts'

/** Strip whitespace, or the given characters, from one end or both ends of a text. */
export function stripText(text: string, chars: string | undefined, side: 'both' | 'start' | 'end'): string {
  if (chars === undefined)
    return side === 'both' ? text.trim() : side === 'start' ? text.trimStart() : text.trimEnd()
  const known = new Set(chars)
  const letters = charactersOf(text)
  let from = 0
  let to = letters.length
  if (side !== 'end') while (from < to && known.has(letters[from] ?? '')) from++
  if (side !== 'start') while (to > from && known.has(letters[to - 1] ?? '')) to--
  return letters.slice(from, to).join('')
}

/** Split a text at a separator, or at whitespace, at most `most` times, counted from either end. */
export function splitText(
  text: string,
  separator: string | undefined,
  most: number,
  fromEnd: boolean,
): string[] {
  if (separator === '') throw new Error('empty separator')
  if (separator === undefined) return splitAtBlanks(text, most, fromEnd)
  const parts = text.split(separator)
  if (most < 0 || parts.length <= most + 1) return parts
  return fromEnd
    ? [parts.slice(0, parts.length - most).join(separator), ...parts.slice(parts.length - most)]
    : [...parts.slice(0, most), parts.slice(most).join(separator)]
}

function splitAtBlanks(text: string, most: number, fromEnd: boolean): string[] {
  const words = [...text.matchAll(/\S+/g)]
  if (most < 0 || words.length <= most) return words.map(([word]) => word)
  if (fromEnd) {
    const rest = words.slice(words.length - most)
    const before = words[words.length - most - 1]
    const head = before ? [text.slice(0, before.index + before[0].length).trimStart()] : []
    return [...head, ...rest.map(([word]) => word)]
  }
  const next = words[most]
  return [...words.slice(0, most).map(([word]) => word), ...(next ? [text.slice(next.index).trimEnd()] : [])]
}

/** Replace a text, everywhere or at most `count` times. */
export function replaceText(
  text: string,
  old: string,
  fresh: string,
  count: number,
  limits: RunLimits,
): string {
  const pieces = old === '' ? ['', ...charactersOf(text), ''] : text.split(old)
  const made = count < 0 ? pieces.length - 1 : Math.min(count, pieces.length - 1)
  limits.allowText(text.length + made * Math.max(0, fresh.length - old.length))
  return (
    pieces.slice(0, made + 1).join(fresh) +
    pieces
      .slice(made + 1)
      .map(piece => old + piece)
      .join('')
  )
}

/** Join texts. Throws if the result is too long. */
export function joinTexts(texts: readonly string[], between: string, limits: RunLimits): string {
  limits.allowText(texts.reduce((sum, text) => sum + text.length + between.length, 0))
  return texts.join(between)
}

/** Capitalise the first letter and lower-case the others. */
export function capitalizeText(text: string): string {
  const [first = '', ...rest] = charactersOf(text)
  return first.toUpperCase() + rest.join('').toLowerCase()
}

/** Capitalise each word, as Python's `title` does: a letter after any other character starts a word. */
export const titleText = (text: string): string => text.replaceAll(/\p{L}+/gu, word => capitalizeText(word))

/** Pad a text to a width. */
export function alignText(text: string, width: number, fill: string, side: 'start' | 'end' | 'both'): string {
  const missing = Math.max(0, width - lengthOf(text))
  if (side === 'start') return text + fill.repeat(missing)
  if (side === 'end') return fill.repeat(missing) + text
  // If the padding cannot be split evenly, Python puts the odd space on the left if the width is odd.
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}
