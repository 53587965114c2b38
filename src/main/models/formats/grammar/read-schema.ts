import { isSchema, mergeSchemas, type Schema, saysSomething, typesOf } from './merge-schemas.ts'
import { readPattern } from './pattern.ts'
import { boundsOf, countOf, impliedTypes, isOfType, listOf, readText } from './read-keywords.ts'
import {
  anyObject,
  anything,
  chooseFrom,
  type Field,
  makeFinite,
  MOST_COUNTED,
  MOST_OTHERS,
  type Others,
  type Reference,
  type Scalar,
  type Shape,
} from './shape.ts'

/** How much of a schema is read; what is beyond becomes any value. Shared by schemas that go into one grammar. */
export type Budget = { parts: number }

/** What one grammar may hold, so that it stays below a few hundred kilobytes whatever the schemas say. */
export const newBudget = (): Budget => ({ parts: 6_000 })

const MOST_FIELDS = 200
const MOST_VALUES = 500
const MOST_OPTIONS = 60
const LONGEST_TEXT = 500
const DEEPEST = 40

/** Where the reading stands: how deep, and which names led here without a bracket in between. */
type Way = { depth: number; names: readonly string[] }

/**
 * Read a JSON Schema. It may come from anywhere and say anything: what is unknown, contradictory or too large becomes
 * any value, or any object, and never an error.
 */
export function readSchema(root: unknown, budget: Budget = newBudget()): Shape {
  const references = new Map<string, Reference>()
  const shape = read(root, { depth: 0, names: [] })
  makeFinite([...references.values()])
  return shape ?? anything

  /** Undefined if nothing satisfies the schema. */
  function read(given: unknown, way: Way): Shape | undefined {
    if (given === false) return undefined
    if (!isSchema(given) || way.depth > DEEPEST || budget.parts-- <= 0) return anything
    const { $ref: name, ...rest } = given
    if (typeof name === 'string' && !saysSomething(rest)) return readNamed(name, way)
    const schema = flatten(given, 0)
    if (schema === undefined) return undefined
    const options = [schema['anyOf'], schema['oneOf']].findIndex(Array.isArray)
    if (options < 0) return readPlain(schema, way)
    const { [options === 0 ? 'anyOf' : 'oneOf']: list, ...base } = schema
    const isBare = !saysSomething(base)
    const all = list as unknown[]
    if (all.length > MOST_OPTIONS) return readPlain(base, way)
    const inner = { ...way, depth: way.depth + 1 }
    return chooseFrom(all.map(option => read(isBare ? option : { allOf: [base, option] }, inner)))
  }

  function readNamed(name: string, way: Way): Shape | undefined {
    // A name that leads to itself says nothing.
    if (way.names.includes(name)) return undefined
    const known = references.get(name)
    if (known) return known
    const target = lookUp(name)
    if (target === undefined) return anything
    const reference: Reference = { kind: 'reference', to: anything }
    references.set(name, reference)
    const shape = read(target, { depth: way.depth + 1, names: [...way.names, name] })
    if (shape === undefined) references.delete(name)
    else reference.to = shape
    return shape && reference
  }

  /** Put what `$ref` and `allOf` say into the schema itself. Undefined if they say that nothing will do. */
  function flatten(schema: Schema, depth: number): Schema | undefined {
    const { $ref: name, allOf, ...rest } = schema
    if (name === undefined && !Array.isArray(allOf)) return schema
    let merged: Schema = rest
    const parts = [
      ...(typeof name === 'string' ? [lookUp(name)] : []),
      ...(Array.isArray(allOf) ? allOf : []),
    ]
    for (const part of parts) {
      if (part === false) return undefined
      if (!isSchema(part) || depth > DEEPEST || budget.parts-- <= 0) continue
      const flat = flatten(part, depth + 1)
      if (flat === undefined) return undefined
      merged = mergeSchemas(merged, flat)
    }
    return merged
  }

  function readPlain(schema: Schema, way: Way): Shape | undefined {
    const types = typesOf(schema) ?? impliedTypes(schema)
    const values = 'const' in schema ? [schema['const']] : schema['enum']
    if (Array.isArray(values) && values.length > 0) return readValues(values, types, way)
    if (!types) return anything
    const shapes = types.map(type => readTyped(type, schema, way))
    return chooseFrom(schema['nullable'] === true ? [...shapes, oneOf([null])] : shapes)
  }

  function readTyped(type: string, schema: Schema, way: Way): Shape | undefined {
    switch (type) {
      case 'string':
        return readText(schema)
      case 'integer':
        return { kind: 'integer', bounds: boundsOf(schema) }
      case 'number':
        return {
          kind: Number.isInteger(schema['multipleOf']) ? 'integer' : 'number',
          bounds: boundsOf(schema),
        }
      case 'boolean':
        return oneOf([true, false])
      case 'null':
        return oneOf([null])
      case 'array':
        return readArray(schema, within(way))
      case 'object':
        return readObject(schema, within(way))
      default:
        return anything
    }
  }

  function readArray(schema: Schema, way: Way): Shape | undefined {
    const { items, prefixItems, additionalItems } = schema
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const first = tuple.slice(0, MOST_FIELDS).map(item => read(item, way))
    if (first.some(item => item === undefined)) return undefined
    const more = Array.isArray(items) ? additionalItems : items
    // Behind a tuple nothing follows unless the schema says so: that is what its authors mean.
    const rest = more === undefined && tuple.length > 0 ? undefined : read(more ?? true, way)
    const min = countOf(schema['minItems']) ?? 0
    return {
      kind: 'array',
      first: first as Shape[],
      rest,
      min: Math.max(first.length, Math.min(min, MOST_COUNTED)),
      max: countOf(schema['maxItems']),
    }
  }

  function readObject(schema: Schema, way: Way): Shape | undefined {
    const { properties, required } = schema
    const known = isSchema(properties) ? Object.entries(properties) : []
    const names = new Set(Array.isArray(required) ? required.filter(name => typeof name === 'string') : [])
    const others = readOthers(schema, way)
    const named = new Set(known.map(([key]) => key))
    const added = isSchema(schema['propertyNames']) ? listOf(schema['propertyNames']['enum']) : []
    for (const key of [...names, ...added]) {
      if (named.has(key as string) || typeof key !== 'string' || named.size > MOST_FIELDS) continue
      named.add(key)
      known.push([key, schema['additionalProperties'] ?? true])
    }
    if (known.length > MOST_FIELDS || known.some(([key]) => key.length > LONGEST_TEXT)) return anyObject
    const fields: Field[] = []
    for (const [key, value] of known) {
      const isRequired = names.has(key)
      budget.parts -= key.length / 100
      const shape = read(value, way)
      if (shape) fields.push({ key, shape, isRequired })
      else if (isRequired) return undefined
    }
    return {
      kind: 'object',
      fields,
      others: added.length > 0 ? undefined : others && counted(others, fields, schema),
    }
  }

  /** Fields without a name in the schema: as it says; where it says nothing, only if it names none at all. */
  function readOthers(schema: Schema, way: Way): Others | undefined {
    const { additionalProperties: more, patternProperties, propertyNames } = schema
    const patterns = isSchema(patternProperties) ? Object.entries(patternProperties).slice(0, 20) : []
    if (patterns.length > 0) {
      const shape = chooseFrom(patterns.map(([, value]) => read(value, way)))
      const form = patterns.length === 1 ? readPattern(patterns[0]![0]) : undefined
      return shape && { form, shape, min: 0, max: MOST_OTHERS }
    }
    if (more === undefined && isSchema(schema['properties'])) return undefined
    const shape = read(more ?? true, way)
    const pattern = isSchema(propertyNames) ? propertyNames['pattern'] : undefined
    const form = typeof pattern === 'string' ? readPattern(pattern) : undefined
    return shape && { form, shape, min: 0, max: MOST_OTHERS }
  }

  function readValues(
    values: readonly unknown[],
    types: readonly string[] | undefined,
    way: Way,
  ): Shape | undefined {
    const fitting = types ? values.filter(value => types.some(type => isOfType(value, type))) : values
    const letters = fitting.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 1),
      0,
    )
    budget.parts -= letters / 20
    if (fitting.length > MOST_VALUES || letters > MOST_VALUES * 40 || budget.parts <= 0)
      return chooseFrom((types ?? ['any']).map(type => readTyped(type, {}, way)))
    const scalars = fitting.filter(value => typeof value !== 'object' || value === null) as Scalar[]
    const others = fitting.filter(value => typeof value === 'object' && value !== null)
    return chooseFrom([
      ...(scalars.length > 0 ? [oneOf(scalars)] : []),
      ...others.map(value => readConstant(value, way)),
    ])
  }

  function readConstant(value: unknown, way: Way): Shape {
    if (way.depth > DEEPEST || budget.parts-- <= 0) return anything
    const inner = within(way)
    if (Array.isArray(value)) {
      const first = value.map(item => readConstant(item, inner))
      return { kind: 'array', first, rest: undefined, min: first.length, max: undefined }
    }
    if (typeof value !== 'object' || value === null) return oneOf([value as Scalar])
    const fields = Object.entries(value).map(([key, item]): Field => ({
      key,
      shape: readConstant(item, inner),
      isRequired: true,
    }))
    return { kind: 'object', fields, others: undefined }
  }

  /** What a name means: `#`, or a path from the root such as `#/$defs/point`. Undefined if that is nowhere. */
  function lookUp(name: string): unknown {
    if (!name.startsWith('#') || (name.length > 1 && name[1] !== '/')) return undefined
    let at = root
    for (const step of name
      .slice(2)
      .split('/')
      .filter((each, index) => index > 0 || each !== '')) {
      const key = unescapeStep(step)
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
      at = (at as Record<string, unknown>)[key]
    }
    return at
  }
}

/** Fields without a name can be counted where there are no others. */
function counted(others: Others, fields: readonly Field[], schema: Schema): Others {
  const [least, most] = [countOf(schema['minProperties']) ?? 0, countOf(schema['maxProperties'])]
  if (most === undefined && least === 0) return others
  const required = fields.filter(({ isRequired }) => isRequired).length
  const max = Math.max(0, Math.min(MOST_OTHERS, (most ?? Infinity) - required))
  return { ...others, min: fields.length === 0 ? Math.min(least, max) : 0, max }
}

const within = ({ depth }: Way): Way => ({ depth: depth + 1, names: [] })

const oneOf = (values: readonly Scalar[]): Shape => ({ kind: 'one-of', values })

function unescapeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
