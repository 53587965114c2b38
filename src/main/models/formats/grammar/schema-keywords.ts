import type { Bounds } from './write-numbers.ts'
import { type Form, readPattern } from './read-pattern.ts'
import { MOST_COUNTED, type Shape } from './schema-shape.ts'

/** A string with its length, and with its pattern or format if a grammar can express it. */
export function readText(schema: Schema): Shape {
  const { pattern, format } = schema
  const own = typeof pattern === 'string' ? readPattern(pattern) : undefined
  const [min, max] = [countOf(schema['minLength']) ?? 0, countOf(schema['maxLength'])]
  const form = own ?? (typeof format === 'string' ? formats.get(format) : undefined)
  return { kind: 'text', min, max, form: form && countedBy(form, min, max) }
}

/** Limit the length of a form that repeats one set. */
function countedBy(form: Form, min: number, max: number | undefined): Form {
  if (form.kind !== 'repeat' || form.of.kind !== 'set') return form
  const least = Math.max(form.min, Math.min(min, MOST_COUNTED))
  const most = Math.min(form.max ?? Infinity, max ?? Infinity)
  if (most < least) return form
  return { ...form, min: least, max: most <= MOST_COUNTED ? most : undefined }
}

/** The bounds of a number. */
export function boundsOf(schema: Schema): Bounds {
  const number = (key: string) => {
    const value = schema[key]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  const { exclusiveMinimum, exclusiveMaximum } = schema
  const [least, most] = [number('minimum'), number('maximum')]
  // Before draft 6 these two were boolean flags of `minimum` and `maximum`.
  const above = exclusiveMinimum === true ? least : number('exclusiveMinimum')
  const below = exclusiveMaximum === true ? most : number('exclusiveMaximum')
  const step = number('multipleOf')
  return {
    ...(least === undefined ? {} : { min: least }),
    ...(most === undefined ? {} : { max: most }),
    ...(above === undefined ? {} : { above }),
    ...(below === undefined ? {} : { below }),
    ...(step === undefined ? {} : { step }),
  }
}

const IMPLIED: readonly (readonly [type: string, keys: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The types that a schema without `type` implies through its keywords. */
export function impliedTypes(schema: Schema): string[] | undefined {
  const types = IMPLIED.filter(([, keys]) => keys.some(key => key in schema)).map(([type]) => type)
  return types.length === 1 ? types : undefined
}

/** Whether a value is of a JSON Schema type. */
export function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isSchema(value)
  return typeof value === type
}

/** A valid count; undefined otherwise. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value < Infinity ? Math.floor(value) : undefined

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const month31 = '(?:0[13578]|1[02])'
const day = `(?:${month31}-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))`
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26]|00)00)'
const date = `(?:\\d{4}-${day}|${leapYear}-02-29)`
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const group = '[0-9a-fA-F]{1,4}'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const uriPart = "(?:[A-Za-z0-9._~:/@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})"

const PATTERNS: Record<string, string> = {
  date: `^${date}$`,
  time: `^${time}$`,
  'date-time': `^${date}T${time}$`,
  email: `^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@(?:${label}\\.)+[A-Za-z]{2,63}$`,
  uuid: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  uri: `^[A-Za-z][A-Za-z0-9+.-]*:${uriPart}+(?:\\?(?:${uriPart}|\\?)*)?(?:#${uriPart}*)?$`,
  ipv4: `^${octet}(?:\\.${octet}){3}$`,
  ipv6: `^(?:(?:${group}:){7}${group}|(?:${group}:){1,6}:${group}|::${group})$`,
  hostname: `^${label}(?:\\.${label})*$`,
}

/** The string formats of JSON Schema that a grammar can express, each in its most common form. */
const formats: ReadonlyMap<string, Form> = new Map(
  Object.entries(PATTERNS).flatMap(([name, pattern]) => {
    const form = readPattern(pattern)
    return form ? [[name, form] as const] : []
  }),
)

/** A JSON Schema, or a part of one, from an untrusted source. */
export type Schema = Record<string, unknown>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LOWEST = new Set(['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'])
const HIGHEST = new Set(['minLength', 'minItems', 'minimum', 'exclusiveMinimum'])
const BY_KEY = new Set(['properties', 'patternProperties'])
const INNER = new Set(['items', 'propertyNames'])
/** Annotations, which do not restrict values. */
const NOTES = new Set(
  '$schema $id $comment $anchor $defs definitions title description default examples deprecated'.split(' '),
)

/** Whether a schema restricts values. */
export const restrictsValues = (schema: Schema): boolean => Object.keys(schema).some(key => !NOTES.has(key))

/** The types that a schema names; undefined if it names none. */
export function typesOf({ type }: Schema): string[] | undefined {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter(each => typeof each === 'string') : undefined
}

/**
 * A schema for the values that satisfy both, or a wider schema if that cannot be expressed. `type` is empty
 * if no value can satisfy both.
 */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged = new Map(Object.entries(one))
  for (const [key, value] of Object.entries(other)) {
    const present = merged.get(key)
    merged.set(key, present === undefined ? value : mergeKeyword(key, present, value, one, other))
  }
  return Object.fromEntries(merged)
}

function mergeKeyword(key: string, one: unknown, other: unknown, left: Schema, right: Schema): unknown {
  if (key === 'type') return sharedTypes(typesOf(left) ?? [], typesOf(right) ?? [])
  if (key === 'required') return [...new Set([...shortListOf(one), ...shortListOf(other)])]
  if (key === 'enum')
    return shortListOf(one).filter(value => shortListOf(other).some(each => isSame(each, value)))
  if (key === 'if') return [...shortListOf(one), ...shortListOf(other)]
  if (typeof one === 'number' && typeof other === 'number') {
    if (LOWEST.has(key)) return Math.min(one, other)
    if (HIGHEST.has(key)) return Math.max(one, other)
  }
  if (key === 'additionalProperties') {
    if (one === false || other === false) return false
    return isSchema(one) && isSchema(other) ? { allOf: [one, other] } : isSchema(one) ? one : other
  }
  if (INNER.has(key) && isSchema(one) && isSchema(other)) return { allOf: [one, other] }
  if (BY_KEY.has(key) && isSchema(one) && isSchema(other)) return mergeByKey(one, other)
  return one
}

/** The properties of both, in the order of the first. */
function mergeByKey(one: Schema, other: Schema): Schema {
  const merged = new Map(Object.entries(one))
  for (const [key, value] of Object.entries(other)) {
    const present = merged.get(key)
    merged.set(key, present === undefined || isSame(present, value) ? value : { allOf: [present, value] })
  }
  return Object.fromEntries(merged)
}

const shortListOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 2_000) : [])

/** Whether two values are equal. Deeply nested values count as different. */
export function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other || depth > 8) return false
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every(key => Object.hasOwn(other, key) && isSame(at(one, key), at(other, key), depth + 1))
  )
}

const sharedTypes = (one: readonly string[], other: readonly string[]): string[] =>
  [
    ...one.filter(type => other.includes(type)),
    ...(one.includes('number') && other.includes('integer') ? ['integer'] : []),
    ...(one.includes('integer') && other.includes('number') ? ['integer'] : []),
  ].filter((type, at, all) => all.indexOf(type) === at)
