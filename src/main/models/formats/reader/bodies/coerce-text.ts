import { END, readWhole, skipSpace } from '../input.ts'
import { isObject, type Schema } from '../tools.ts'
import { Trouble } from '../trouble.ts'
import { BareText } from './gemma.ts'
import { readValue } from './values.ts'

/**
 * What a text parameter means under its schema: a string stays as written, anything else is read as JSON. Trouble if
 * the schema allows neither.
 */
export function coerceText(text: string, schema: Schema | undefined): unknown {
  const types = typesOf(schema)
  if (types?.size === 1 && types.has('string')) return text
  const value = parse(text)
  if (types === undefined) return value instanceof Trouble ? text : value
  if (!(value instanceof Trouble)) {
    if (typeof value !== 'string' && (fits(value, types) || !types.has('string'))) return value
    const inner = typeof value === 'string' ? parse(value) : value
    if (!types.has('string') && fits(inner, types)) return inner
  }
  return types.has('string') ? text : new Trouble(`it must be of type ${[...types].join(' or ')}`)
}

/** Give every bare text inside a value its type. */
export function coerceBareText(value: unknown, schema: Schema | undefined): unknown {
  if (value instanceof BareText) {
    const coerced = coerceText(value.text, schema)
    return coerced instanceof Trouble ? value.text : coerced
  }
  if (Array.isArray(value)) return value.map(item => coerceBareText(item, schemaOf(schema?.['items'])))
  if (!isObject(value)) return value
  const properties = schemaOf(schema?.['properties'])
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, coerceBareText(item, schemaOf(properties?.[key]))]),
  )
}

/** Read a complete text as one value. */
export function parse(text: string): unknown {
  return readWhole(`${text} `, function* (input) {
    const options = {}
    const value = yield* readValue(input, options)
    if (value instanceof Trouble) return value
    yield* skipSpace(input)
    return input.code() === END && !('closedAtEnd' in options) ? value : new Trouble('it is not one value')
  })
}

function schemaOf(value: unknown): Schema | undefined {
  return isObject(value) ? value : undefined
}

/** The JSON types that a schema allows, or undefined for any. */
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
  if (value instanceof Trouble) return false
  const type = typeOf(value)
  return types.has(type) || (type === 'number' && Number.isInteger(value) && types.has('integer'))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
