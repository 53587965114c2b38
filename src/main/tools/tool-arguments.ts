import type { z } from 'zod'
import { parseJson } from '../lib/expected-errors.ts'
import { similarity } from '../lib/similarity.ts'

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
  const bySpelling = new Map(Object.keys(properties).map(name => [spellingOf(name), name]))
  const coerced: [string, unknown][] = []
  for (const [given, value] of Object.entries(args)) {
    const meant = bySpelling.get(spellingOf(given)) ?? given
    const name = Object.hasOwn(args, meant) ? given : meant
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const mayBeLeftOut = !required.includes(name)
    if (mayBeLeftOut && isNothing(value, property?.['type'])) continue
    coerced.push([name, property ? coerceValue(value, property['type']) : value])
  }
  return Object.fromEntries(coerced)
}

/** A name without case and separators. */
export const spellingOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

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

type Issue = z.core.$ZodIssue

const MOST_SHOWN = 3
const WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Explain in one line what is wrong with arguments: the field, the expected type, and the given value. */
export function explainIssues(
  issues: readonly Issue[],
  args: Record<string, unknown>,
  schema: Parameters,
): string {
  // A field can break several rules; the first one is enough.
  const faults = [
    ...new Map(issues.toReversed().map(issue => [issue.path.join('.'), issue])).values(),
  ].toReversed()
  const shown = faults.slice(0, MOST_SHOWN).map(issue => explain(issue, args, schema))
  const more = faults.length > MOST_SHOWN ? `; and ${faults.length - MOST_SHOWN} more` : ''
  return `Wrong arguments: ${shown.join('; ')}${more}.`.replace(/\?\.$/, '?')
}

function explain(issue: Issue, args: Record<string, unknown>, schema: Parameters): string {
  const field = issue.path.map(String).join('.')
  const given = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    args,
  )
  if (given === undefined && issue.path.length === 1) return missing(field, args, schema)
  return `"${field}" must be ${expected(issue, schema)}, not ${inShort(given)}`
}

function missing(field: string, args: Record<string, unknown>, { properties = {} }: Parameters): string {
  const type = properties[field]?.['type']
  const unknown = Object.keys(args)
    .filter(name => !Object.hasOwn(properties, name))
    .map(name => name.slice(0, 40))
  const meant = unknown.find(name => isLike(name, field))
  const others = unknown.slice(0, 5).map(name => `"${name}"`)
  const hint =
    meant === undefined ? `this tool takes no ${others.join(', ')}` : `did you mean it by "${meant}"?`
  const word = (typeof type === 'string' && WORDS[type]) || 'a value'
  return `"${field}" (${word}) is missing${unknown.length > 0 ? `; ${hint}` : ''}`
}

function isLike(name: string, field: string): boolean {
  const [a, b] = [spellingOf(name), spellingOf(field)]
  return a.includes(b) || (a.length > 2 && b.includes(a)) || similarity(a, b) >= 0.5
}

function expected(issue: Issue, { properties = {} }: Parameters): string {
  switch (issue.code) {
    case 'invalid_type':
      // Zod checks integers as numbers first; the schema knows the real type.
      return WORDS[wholeOf(issue, properties) ?? issue.expected] ?? issue.expected
    case 'invalid_value':
      return `one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    default:
      return `valid (${issue.message})`
  }
}

function wholeOf({ path }: Issue, properties: NonNullable<Parameters['properties']>): string | undefined {
  const type = path.length === 1 ? properties[String(path[0])]?.['type'] : undefined
  return type === 'integer' ? type : undefined
}

function unitOf(origin: string, size: number | bigint): string {
  if (origin === 'string') return size === 1 ? ' character' : ' characters'
  if (origin === 'array') return ' long'
  return ''
}

function inShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text
}
