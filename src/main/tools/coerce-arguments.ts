import { parseJson } from '../lib/expected-errors.ts'

/** The part of a JSON Schema that is needed to coerce arguments. */
export type Parameters = {
  properties?: Record<string, Record<string, unknown>>
  required?: string[]
} & Record<string, unknown>

/**
 * Correct common, unambiguous mistakes of models: numbers, booleans and lists written as text, `oldString`
 * for `old_string`, and null for optional fields.
 */
export function coerceArguments(args: Record<string, unknown>, schema: Parameters): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const bySpelling = new Map(Object.keys(properties).map(name => [spelling(name), name]))
  const coerced: [string, unknown][] = []
  for (const [given, value] of Object.entries(args)) {
    const meant = bySpelling.get(spelling(given)) ?? given
    const name = Object.hasOwn(args, meant) ? given : meant
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const mayBeLeftOut = !required.includes(name)
    if (mayBeLeftOut && isNothing(value, property?.['type'])) continue
    coerced.push([name, property ? coerceValue(value, property['type']) : value])
  }
  return Object.fromEntries(coerced)
}

/** A name without case and separators. */
export const spelling = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const isNothing = (value: unknown, type: unknown) =>
  value === null || (value === '' && type !== undefined && type !== 'string')

function coerceValue(value: unknown, type: unknown): unknown {
  if (type === 'string' && typeof value === 'number') return String(value)
  if (type === 'string' || typeof value !== 'string') return value
  const text = value.trim()
  if ((type === 'number' || type === 'integer') && /^[-+]?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (type === 'array' || type === 'object') {
    const parsed = parseJson(text)
    if (typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === (type === 'array'))
      return parsed
  }
  return value
}
