import { isSchema, type Schema } from './merge-schemas.ts'
import type { Bounds } from './write-numbers.ts'
import { type Form, readPattern } from './read-pattern.ts'
import { MOST_COUNTED, type Shape } from './shape.ts'

/** A string with its length, and with its pattern or format if a grammar can express it. */
export function readText(schema: Schema): Shape {
  const { pattern, format } = schema
  const own = typeof pattern === 'string' ? readPattern(pattern) : undefined
  const [min, max] = [countOf(schema['minLength']) ?? 0, countOf(schema['maxLength'])]
  const form = own ?? (typeof format === 'string' ? formats.get(format) : undefined)
  return { kind: 'text', min, max, form: form && countedBy(form, min, max) }
}

/** A form that repeats one set can also be limited in length. */
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
  return {
    ...(least === undefined ? {} : { min: least }),
    ...(most === undefined ? {} : { max: most }),
    ...(above === undefined ? {} : { above }),
    ...(below === undefined ? {} : { below }),
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
}

/** The string formats of JSON Schema that a grammar can express, each in its most common form. */
const formats: ReadonlyMap<string, Form> = new Map(
  Object.entries(PATTERNS).flatMap(([name, pattern]) => {
    const form = readPattern(pattern)
    return form ? [[name, form] as const] : []
  }),
)
