import {
  isOfType,
  isSame,
  isSchema,
  impliedTypes,
  listOf,
  restrictsValues,
  type Schema,
  typesOf,
} from './schema-keywords.ts'

/** If a value satisfies `test`, it must also satisfy `demand`, otherwise `otherwise`. */
type Condition = { test: unknown; demand: unknown; otherwise: unknown }

/** Maximum number of cases into which the conditions of one schema are expanded. */
const MOST_CASES = 32

/**
 * Gather the conditions of a schema in one list under `if`: `if` itself, `not`, and what one field demands of
 * others. A constant becomes an enum of one value.
 */
export function gatherConditions(schema: Schema): Schema {
  const {
    if: test,
    then: demand,
    else: otherwise,
    not,
    dependentRequired,
    dependentSchemas,
    dependencies,
    ...rest
  } = schema
  const demands = [dependentRequired, dependentSchemas, dependencies].flatMap(each =>
    isSchema(each) ? Object.entries(each) : [],
  )
  const conditions: Condition[] = [
    ...(isSchema(test) || typeof test === 'boolean' ? [{ test, demand, otherwise }] : []),
    ...(isSchema(not) ? [{ test: not, demand: false, otherwise: true }] : []),
    ...demands.map(([key, given]) => ({
      test: { required: [key] },
      demand: Array.isArray(given) ? { required: given } : given,
      otherwise: true,
    })),
  ]
  const { const: only, ...others } = rest
  const listed = Array.isArray(rest['enum']) ? rest['enum'].filter(value => isSame(value, only)) : [only]
  const plain = 'const' in rest ? { ...others, enum: listed } : rest
  return conditions.length > 0 ? { ...plain, if: conditions } : plain
}

/**
 * Expand a gathered schema into schemas without conditions that together allow the same values. Conditions
 * that look the same in a grammar, and those beyond `MOST_CASES`, are left out. `inPlain` inlines references.
 */
export function writeOutCases(gathered: Schema, inPlain: (part: Schema) => Schema | undefined): Schema[] {
  const { if: conditions, ...base } = gathered
  // The cases name properties, while an object without named ones allows all.
  if (conditions && kindsOf(base).includes('object') && !isSchema(base['properties']))
    base['additionalProperties'] ??= true
  let cases: Schema[][] = [[]]
  for (const { test, demand = true, otherwise = true } of listOf(conditions) as Condition[]) {
    const split = splitBy(test, base, inPlain)
    if (!split) continue
    const options = [...split.yes.map(each => [each, demand]), ...split.no.map(each => [each, otherwise])]
    const open = options.filter(([, added]) => added !== false) as Schema[][]
    const next = cases.flatMap(before => open.map(parts => [...before, ...parts]))
    if (next.length <= MOST_CASES) cases = next
  }
  return cases.map(parts => (parts.length > 0 ? { allOf: [base, ...parts] } : base))
}

/** The schemas to add to `base` for a test to succeed, and for it to fail: any one of each list. */
type Split = { yes: Schema[]; no: Schema[] }

const always: Split = { yes: [{}], no: [] }
const swapped = (split: Split | undefined): Split | undefined => split && { yes: split.no, no: split.yes }

/** Split the values of `base` by a test; undefined if a grammar cannot distinguish them. */
function splitBy(
  test: unknown,
  base: Schema,
  inPlain: (part: Schema) => Schema | undefined,
): Split | undefined {
  if (typeof test === 'boolean') return test ? always : swapped(always)
  if (!isSchema(test)) return undefined
  if (!restrictsValues(test)) return always
  if (Object.keys(test).length === 1 && 'not' in test) return swapped(splitBy(test['not'], base, inPlain))
  const values = valuesOf(base)
  if (values) return splitValues(test, values)
  const types = kindsOf(base)
  const { type, properties = {}, required = [], ...others } = test
  if (restrictsValues(others)) return !type ? splitBounds(others, types) : undefined
  if (!types.includes('object') || !isSchema(properties)) return undefined
  if (type !== undefined && (type !== 'object' || types.length > 1)) return undefined
  return splitObject(properties, listOf(required), base, inPlain)
}

function splitObject(
  properties: Schema,
  required: readonly unknown[],
  base: Schema,
  inPlain: (part: Schema) => Schema | undefined,
): Split | undefined {
  const held: Schema = {}
  const no: Schema[] = required.map(name => ({ type: 'object', properties: { [String(name)]: false } }))
  const known = isSchema(base['properties']) ? base['properties'] : {}
  for (const [name, test] of Object.entries(properties)) {
    const given = Object.hasOwn(known, name) ? known[name] : true
    const split = splitBy(test, (isSchema(given) ? inPlain(given) : undefined) ?? {}, inPlain)
    if (!split || split.yes.length > 1) return undefined
    held[name] = split.yes[0] ?? false
    no.push(...split.no.map(each => ({ type: 'object', properties: { [name]: each }, required: [name] })))
  }
  return { yes: [{ properties: held, required: [...required] }], no }
}

const kindsOf = (schema: Schema): readonly string[] => typesOf(schema) ?? impliedTypes(schema) ?? []

/** All values that a schema allows, if it lists them. */
function valuesOf(schema: Schema): readonly unknown[] | undefined {
  const types = typesOf(schema)
  if (Array.isArray(schema['enum']))
    return schema['enum'].filter(value => !types || types.some(type => isOfType(value, type)))
  if (types?.some(type => type !== 'boolean' && type !== 'null')) return undefined
  return types?.flatMap(type => (type === 'null' ? [null] : [true, false]))
}

function splitValues(test: Schema, values: readonly unknown[]): Split | undefined {
  const answers = values.map(value => holds(test, value))
  if (answers.includes(undefined)) return undefined
  const only = (wanted: boolean) => {
    const some = values.filter((_, at) => answers[at] === wanted)
    return some.length > 0 ? [{ enum: some }] : []
  }
  return { yes: only(true), no: only(false) }
}

/** Whether a value satisfies a test of constants and bounds; undefined for any other test. */
function holds(test: Schema, value: unknown): boolean | undefined {
  const { const: only, enum: some, type, ...bounds } = test
  const isFit = typesOf({ type })?.some(each => isOfType(value, each)) ?? true
  const isConstant = !('const' in test) || isSame(only, value)
  const isListed = !Array.isArray(some) || some.some(each => isSame(each, value))
  const keys = Object.keys(bounds).filter(key => restrictsValues({ [key]: 0 }))
  if (keys.some(key => !Object.hasOwn(OUTSIDE, key))) return undefined
  return (
    isFit &&
    isConstant &&
    isListed &&
    keys.every(key => typeof value !== 'number' || isWithin(key, value, Number(test[key])))
  )
}

/** For each bound, the bound that applies exactly if the first one does not. */
const OUTSIDE: Record<string, string> = {
  minimum: 'exclusiveMaximum',
  exclusiveMinimum: 'maximum',
  maximum: 'exclusiveMinimum',
  exclusiveMaximum: 'minimum',
}

const isWithin = (key: string, value: number, bound: number): boolean =>
  ({ minimum: value >= bound, exclusiveMinimum: value > bound, maximum: value <= bound })[key] ??
  value < bound

function splitBounds(test: Schema, types: readonly string[]): Split | undefined {
  if (types.length === 0 || types.some(type => type !== 'number' && type !== 'integer')) return undefined
  const keys = Object.keys(test).filter(key => restrictsValues({ [key]: 0 }))
  if (keys.some(key => !Object.hasOwn(OUTSIDE, key) || typeof test[key] !== 'number')) return undefined
  return { yes: [test], no: keys.map(key => ({ [OUTSIDE[key]!]: test[key] })) }
}
