import { formats } from './formats.ts'
import { isSchema, type Schema } from './merge-schemas.ts'
import type { Bounds } from './numbers.ts'
import { type Form, readPattern } from './pattern.ts'
import { MOST_COUNTED, type Shape } from './shape.ts'

/** A text with its length, and with its pattern or its format if a grammar can follow it. */
export function readText(schema: Schema): Shape {
  const { pattern, format } = schema
  const own = typeof pattern === 'string' ? readPattern(pattern) : undefined
  const [min, max] = [countOf(schema['minLength']) ?? 0, countOf(schema['maxLength'])]
  const form = own ?? (typeof format === 'string' ? formats.get(format) : undefined)
  return { kind: 'text', min, max, form: form && countedBy(form, min, max) }
}

/** A form that is one set repeated can be held to a length as well. */
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
  // Before 2019 the two were flags of `minimum` and `maximum`.
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

/** The type that a schema without one is about, if it is about one. */
export function impliedTypes(schema: Schema): string[] | undefined {
  const types = IMPLIED.filter(([, keys]) => keys.some(key => key in schema)).map(([type]) => type)
  return types.length === 1 ? types : undefined
}

/** Whether a value is of a type of JSON Schema. */
export function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isSchema(value)
  return typeof value === type
}

/** A number of things; undefined if the schema gives none that makes sense. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value < Infinity ? Math.floor(value) : undefined

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
