import { numberIn, parseJson } from '../lib/expected-errors.ts'
import { readOneValue } from '../models/formats/reader/mend-arguments.ts'
import type { SchemaCheck } from './check-schema.ts'
import { isRecord } from '../lib/json-fields.ts'
import { stepsOf } from './prepare-schema.ts'

type Schema = Record<string, unknown>
type Check = Pick<SchemaCheck, 'fits'>

/** Maximum schema and argument parts to read, and references to follow. The rest stays unchanged. */
const MOST_LOOKS = 5_000
const MOST_HOPS = 20

/**
 * Convert arguments to the form that a schema requires. Repairs numbers, booleans, lists and objects written
 * as text, numbers in place of text, null for optional values, and other spellings of a name. Only if exactly
 * one reading fits. Arguments that already fit are never touched.
 */
export function mendArguments(args: Schema, schema: Schema, check: Check): Schema {
  let looks = 0
  const isOver = () => ++looks > MOST_LOOKS
  if (check.fits(args)) return args
  const mended = mendObject(args, { ...schema, type: 'object' }, 0)
  return mended

  /** The alternative schemas for a value, with references resolved. */
  function optionsOf(given: unknown, hops = 0): Schema[] {
    if (!isRecord(given) || hops > MOST_HOPS || isOver()) return []
    const { $ref: reference, ...rest } = given
    if (typeof reference === 'string') return optionsOf(lookUp(reference), hops + 1)
    const choices = [rest['anyOf'], rest['oneOf']].find(Array.isArray)
    const { anyOf: _any, oneOf: _one, ...base } = rest
    if (choices)
      return choices.flatMap((choice: unknown) => optionsOf(choice, hops + 1).map(each => joined(base, each)))
    if (!Array.isArray(rest['allOf'])) return [rest]
    const { allOf, ...own } = rest
    const parts = allOf.map((part: unknown) => optionsOf(part, hops + 1))
    // Several parts with choices are too complex to repair here.
    return [parts.reduce<Schema>((sum, part) => (part.length === 1 ? joined(sum, part[0]!) : sum), own)]
  }

  function lookUp(reference: string): unknown {
    if (reference === '#') return schema
    let at: unknown = reference.startsWith('#/') ? schema : undefined
    for (const step of at === undefined ? [] : stepsOf(reference)) {
      const here: unknown = at
      at =
        typeof here === 'object' && here !== null && Object.hasOwn(here, step)
          ? Reflect.get(here, step)
          : undefined
    }
    return at
  }

  function mendValue(value: unknown, given: unknown, depth: number): unknown {
    if (depth > MOST_HOPS) return value
    const options = optionsOf(given)
    // A value that may be anything needs no repair.
    if (options.length === 0 || options.some(option => typesOf(option).length === 0)) return value
    const fitting = options.filter(
      option => typesOf(option).some(type => isOfType(value, type)) && isAmong(value, option),
    )
    if (fitting.length > 0) return mendWithin(value, fitting, depth)
    const readings = options.flatMap(option =>
      typesOf(option).flatMap(type =>
        readingsOf(value, type).flatMap(read => (isAmong(read, option) ? [{ read, option }] : [])),
      ),
    )
    const texts = new Set(readings.map(({ read }) => JSON.stringify(read)))
    if (texts.size !== 1) return value
    return mendWithin(
      readings[0]!.read,
      readings.map(({ option }) => option),
      depth,
    )
  }

  function mendWithin(value: unknown, options: readonly Schema[], depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value
    const wanted = options.length === 1 ? options[0] : meantOption(value, options)
    if (wanted === undefined) return value
    if (!Array.isArray(value)) return isRecord(value) ? mendObject(value, wanted, depth + 1) : value
    const { items, prefixItems } = wanted
    const first: unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const rest = Array.isArray(items) ? wanted['additionalItems'] : items
    return value.map((item: unknown, at) => mendValue(item, at < first.length ? first[at] : rest, depth + 1))
  }

  /** Of several kinds of objects, the only one whose required fields and fixed values match. */
  function meantOption(value: object, options: readonly Schema[]): Schema | undefined {
    const fitting = options.filter(
      ({ properties, required }) =>
        (!Array.isArray(required) || required.every(name => Object.hasOwn(value, String(name)))) &&
        (!isRecord(properties) ||
          Object.entries(properties).every(
            ([name, each]) =>
              !isRecord(each) || !Object.hasOwn(value, name) || isAmong(Reflect.get(value, name), each),
          )),
    )
    return fitting.length === 1 ? fitting[0] : undefined
  }

  function mendObject(
    value: Schema,
    { properties: named, required, ...more }: Schema,
    depth: number,
  ): Schema {
    const other = isRecord(more['additionalProperties']) ? more['additionalProperties'] : undefined
    const properties = isRecord(named) ? named : {}
    if (!isRecord(named) && !other) return value
    const needed = new Set<unknown>(Array.isArray(required) ? required : [])
    const mended: [string, unknown][] = []
    for (const [given, item] of Object.entries(value)) {
      const name = meantName(given, value, properties)
      const property = Object.hasOwn(properties, name) ? properties[name] : other
      const options = optionsOf(property)
      const isWanted = options.some(each => {
        const types = typesOf(each)
        return types.length === 0 || types.some(type => isOfType(item, type))
      })
      const isNothing = item === null || item === ''
      if (isNothing && options.length > 0 && !isWanted && !needed.has(name)) continue
      mended.push([name, property === undefined || isOver() ? item : mendValue(item, property, depth)])
    }
    return Object.fromEntries(mended)
  }
}

/** Merge two schemas that both apply. */
function joined(one: Schema, other: Schema): Schema {
  const properties = [one['properties'], other['properties']].filter(isRecord)
  return {
    ...one,
    ...other,
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) }),
  }
}

/** Correct `oldText` to `old_text`, if the tool has no `oldText` and no `old_text` was given. */
function meantName(given: string, value: Schema, properties: Schema): string {
  if (Object.hasOwn(properties, given)) return given
  const same = Object.keys(properties).filter(name => plain(name) === plain(given))
  return same.length === 1 && !Object.hasOwn(value, same[0]!) ? same[0]! : given
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The types that a schema names, directly or by the values it lists. */
function typesOf({ type, enum: values, const: value, nullable, properties, items }: Schema): string[] {
  const named = Array.isArray(type) ? type.filter(each => typeof each === 'string') : type
  const listed: unknown[] = Array.isArray(values) ? values : value === undefined ? [] : [value]
  const types =
    typeof named === 'string'
      ? [named]
      : ((named as string[] | undefined) ??
        (listed.length > 0
          ? listed.map(typeOf)
          : isRecord(properties)
            ? ['object']
            : isRecord(items)
              ? ['array']
              : []))
  return nullable === true && types.length > 0 ? [...types, 'null'] : types
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const isOfType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

/** Whether a value is among those that a schema lists; true if it lists none. */
function isAmong(value: unknown, { enum: values, const: only }: Schema): boolean {
  const listed: unknown[] | undefined = Array.isArray(values)
    ? values
    : only === undefined
      ? undefined
      : [only]
  const text = JSON.stringify(value)
  return listed === undefined || listed.some(each => JSON.stringify(each) === text)
}

/** The possible readings of a value as this type. */
function readingsOf(value: unknown, type: string): unknown[] {
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
  if (typeof value !== 'string') return []
  const text = value.trim()
  switch (type) {
    case 'integer':
    case 'number': {
      const read = numberIn(text)
      const isExact = read !== undefined && (!Number.isInteger(read) || Number.isSafeInteger(read))
      return isExact && isOfType(read, type) ? [read] : []
    }
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : []
    case 'null':
      return /^(?:null|none)$/i.test(text) ? [null] : []
    case 'array':
    case 'object': {
      const read = parseJson(text) ?? (/^[[{]/.test(text) ? readOneValue(text) : undefined)
      return isOfType(read, type) ? [read] : []
    }
    default:
      return []
  }
}
