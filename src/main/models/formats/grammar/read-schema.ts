import {
  isSchema,
  mergeSchemas,
  type Schema,
  restrictsValues,
  typesOf,
  boundsOf,
  countOf,
  impliedTypes,
  isOfType,
  listOf,
  readText,
} from './schema-keywords.ts'
import { gatherConditions, writeOutCases } from './schema-conditions.ts'
import { readPattern } from './read-pattern.ts'
import { type Bounds, boundsExclude, partsOfNumber } from './write-numbers.ts'
import {
  anyObject,
  anything,
  choiceOfShapes,
  type Field,
  makeShapesFinite,
  MOST_COUNTED,
  MOST_OTHERS,
  type Others,
  type Reference,
  type Scalar,
  type Shape,
} from './schema-shape.ts'

/** How many parts of schemas may be read for one grammar. Beyond it, any value is allowed. */
export type Budget = { parts: number }

/** Limit for one grammar. It keeps the grammar below a few hundred kilobytes for all schemas. */
export const newBudget = (): Budget => ({ parts: 6_000 })

const MOST_FIELDS = 200
const MOST_VALUES = 500
const MOST_OPTIONS = 60
const LONGEST_TEXT = 500
const DEEPEST = 40

/** The reading position: the depth, and the references followed since the last bracket. */
type Way = { depth: number; names: readonly string[] }

/** Read an untrusted JSON Schema. Unknown, contradictory or oversized parts allow any value; never fails. */
export function readSchema(root: unknown, budget: Budget = newBudget()): Shape {
  const references = new Map<string, Reference>()
  const shape = read(root, { depth: 0, names: [] })
  makeShapesFinite([...references.values()])
  return shape ?? anything

  /** Undefined if no value satisfies the schema. */
  function read(given: unknown, way: Way): Shape | undefined {
    if (given === false) return undefined
    if (!isSchema(given) || way.depth > DEEPEST || budget.parts-- <= 0) return anything
    const { $ref: name, ...rest } = given
    if (typeof name === 'string' && !restrictsValues(rest)) return readNamed(name, way)
    const gathered = flatten(given, 0)
    if (gathered === undefined) return undefined
    const inner = { ...way, depth: way.depth + 1 }
    const cases = writeOutCases(gathered, part => flatten(part, 0))
    const [schema] = cases
    if (cases.length !== 1 || !schema || 'allOf' in schema)
      return choiceOfShapes(cases.map(each => read(each, inner)))
    const options = [schema['anyOf'], schema['oneOf']].findIndex(Array.isArray)
    if (options < 0) return readPlain(schema, way)
    const { [options === 0 ? 'anyOf' : 'oneOf']: list, ...base } = schema
    const isBare = !restrictsValues(base)
    const all = list as unknown[]
    if (all.length > MOST_OPTIONS) return readPlain(base, way)
    return choiceOfShapes(all.map(option => read(isBare ? option : { allOf: [base, option] }, inner)))
  }

  function readNamed(name: string, way: Way): Shape | undefined {
    // A reference that leads to itself has no meaning.
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

  /** Inline `$ref` and `allOf`, and gather the conditions. Undefined if no value can satisfy them. */
  function flatten(given: Schema, depth: number): Schema | undefined {
    const { $ref: name, allOf, ...rest } = gatherConditions(given)
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
    const values = schema['enum']
    if (Array.isArray(values)) return values.length > 0 ? readValues(values, types, way) : undefined
    if (!types) return anything
    const shapes = types.map(type => readTyped(type, schema, way))
    return choiceOfShapes(schema['nullable'] === true ? [...shapes, oneOf([null])] : shapes)
  }

  function readTyped(type: string, schema: Schema, way: Way): Shape | undefined {
    switch (type) {
      case 'string':
        return readText(schema)
      case 'integer':
      case 'number':
        return readNumber(type === 'integer' || Number.isInteger(schema['multipleOf']), boundsOf(schema))
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

  function readNumber(isWhole: boolean, bounds: Bounds): Shape | undefined {
    if (boundsExclude(bounds, isWhole)) return undefined
    const kind = isWhole ? 'integer' : 'number'
    budget.parts -= partsOfNumber(bounds)
    return { kind, bounds: budget.parts > 0 ? bounds : {} }
  }

  function readArray(schema: Schema, way: Way): Shape | undefined {
    const { items, prefixItems, additionalItems } = schema
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const first = tuple.slice(0, MOST_FIELDS).map(item => read(item, way))
    if (first.some(item => item === undefined)) return undefined
    const more = Array.isArray(items) ? additionalItems : items
    // A tuple has no further items unless the schema says so, because that is what its authors mean.
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
    const not: string[] = []
    for (const [key, value] of known) {
      const isRequired = names.has(key)
      budget.parts -= key.length / 100
      const shape = read(value, way)
      if (shape) fields.push({ key, shape, isRequired })
      else if (isRequired) return undefined
      else not.push(key)
    }
    return {
      kind: 'object',
      fields,
      others: added.length > 0 ? undefined : others && { ...counted(others, fields, schema), not },
    }
  }

  /** The unnamed fields of a schema: as it specifies; otherwise allowed only if it names no fields. */
  function readOthers(schema: Schema, way: Way): Others | undefined {
    const { additionalProperties: more, patternProperties, propertyNames } = schema
    const patterns = isSchema(patternProperties) ? Object.entries(patternProperties).slice(0, 20) : []
    if (patterns.length > 0) {
      const shape = choiceOfShapes(patterns.map(([, value]) => read(value, way)))
      const form = patterns.length === 1 ? readPattern(patterns[0]![0]) : undefined
      return shape && { form, shape, min: 0, max: MOST_OTHERS, not: [] }
    }
    if (more === undefined && isSchema(schema['properties'])) return undefined
    const shape = read(more ?? true, way)
    const pattern = isSchema(propertyNames) ? propertyNames['pattern'] : undefined
    const form = typeof pattern === 'string' ? readPattern(pattern) : undefined
    return shape && { form, shape, min: 0, max: MOST_OTHERS, not: [] }
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
      return choiceOfShapes((types ?? ['any']).map(type => readTyped(type, {}, way)))
    const scalars = fitting.filter(value => typeof value !== 'object' || value === null) as Scalar[]
    const others = fitting.filter(value => typeof value === 'object' && value !== null)
    return choiceOfShapes([
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

  /** Resolve a reference: `#`, or a path such as `#/$defs/point`. Undefined if the target does not exist. */
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

/** Limits on the number of fields apply only to objects without named fields. */
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
