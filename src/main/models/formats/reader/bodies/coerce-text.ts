import { END, readWhole, skipSpace, Unreadable } from '../reader-input.ts'
import { isObject, type Schema } from '../known-tools.ts'
import { BareText } from './gemma-values.ts'
import { readValue } from './read-value.ts'

/**
 * Convert the text of a parameter according to its schema: a string stays as written, anything else is read
 * as JSON. Unreadable if the schema allows neither.
 */
export function coerceText(text: string, schema: Schema | undefined): unknown {
  const types = typesOf(schema)
  if (types?.size === 1 && types.has('string')) return text
  const value = parseValue(text)
  if (types === undefined) return value instanceof Unreadable ? text : value
  if (!(value instanceof Unreadable)) {
    if (typeof value !== 'string' && (fits(value, types) || !types.has('string'))) return value
    const inner = typeof value === 'string' ? parseValue(value) : value
    if (!types.has('string') && fits(inner, types)) return inner
  }
  return types.has('string') ? text : new Unreadable(`it must be of type ${[...types].join(' or ')}`)
}

/** Convert every bare text inside a value to its type. */
export function coerceBareText(value: unknown, schema: Schema | undefined): unknown {
  if (value instanceof BareText) {
    const coerced = coerceText(value.text, schema)
    return coerced instanceof Unreadable ? value.text : coerced
  }
  if (Array.isArray(value)) return value.map(item => coerceBareText(item, schemaOf(schema?.['items'])))
  if (!isObject(value)) return value
  const properties = schemaOf(schema?.['properties'])
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, coerceBareText(item, schemaOf(properties?.[key]))]),
  )
}

/** Read a complete text as one value. */
export function parseValue(text: string): unknown {
  return readWhole(`${text} `, function* (input) {
    const options = {}
    const value = yield* readValue(input, options)
    if (value instanceof Unreadable) return value
    yield* skipSpace(input)
    return input.code() === END && !('closedAtEnd' in options) ? value : new Unreadable('it is not one value')
  })
}

function schemaOf(value: unknown): Schema | undefined {
  return isObject(value) ? value : undefined
}

/** The JSON types that a schema allows; undefined for any. */
function typesOf(schema: Schema | undefined): Set<string> | undefined {
  if (!schema) return undefined
  const { type, anyOf, oneOf, properties, items } = schema
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type.filter(each => typeof each === 'string'))
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : []
  if (values.length > 0) return new Set(values.map(typeOf))
  const choices = [anyOf, oneOf].find(each => Array.isArray(each))
  if (choices) {
    const types = choices.map(choice => typesOf(schemaOf(choice)))
    return types.some(each => each === undefined) ? undefined : new Set(types.flatMap(each => [...each!]))
  }
  return properties ? new Set(['object']) : items ? new Set(['array']) : undefined
}

function fits(value: unknown, types: Set<string>): boolean {
  if (value instanceof Unreadable) return false
  const type = typeOf(value)
  return types.has(type) || (type === 'number' && Number.isInteger(value) && types.has('integer'))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
