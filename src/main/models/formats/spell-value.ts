import type { Piece } from './marked-text.ts'

/** JSON with a blank after each comma and colon, as Python and nearly all chat templates write it. */
export function spellJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spellJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${entriesOf(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spellJson(item)}`)
    .join(', ')}}`
}

/** A Python literal. JSON strings are also valid in Python. */
export function spellPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spellPython).join(', ')}]`
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${entriesOf(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spellPython(item)}`)
    .join(', ')}}`
}

/**
 * A value in Gemma's notation: bare keys, and `quote` around strings, in which no character is special. A string or
 * key that cannot be written so is written as JSON.
 */
export function spellGemma(value: unknown, quote: string): Piece[] {
  if (typeof value === 'string')
    return value.includes(quote) ? [JSON.stringify(value)] : [{ mark: quote }, value, { mark: quote }]
  if (Array.isArray(value)) return ['[', ...listOf(value.map(item => spellGemma(item, quote))), ']']
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? 'null']
  const members = entriesOf(value).map(([key, item]): Piece[] => [
    isPlainName(key) ? key : JSON.stringify(key),
    ':',
    ...spellGemma(item, quote),
  ])
  return ['{', ...listOf(members), '}']
}

/** Whether a key can be written without quotes in every notation. */
export const isPlainName = (key: string): boolean => /^[A-Za-z_][\w-]{0,99}$/.test(key)

/** The entries that JSON would write: `undefined` is left out. */
const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined)

const listOf = (items: readonly Piece[][]): Piece[] =>
  items.flatMap((item, at) => (at === 0 ? item : [',', ...item]))
