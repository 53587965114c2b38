/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One parameter of a tool, or one member of an object. */
export type Parameter = { name: string; schema: Schema; isRequired: boolean }

/** The parameters of a schema, in its order. */
export function parametersOf(schema: Schema): Parameter[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(([name, value]) => ({
    name,
    schema: isObject(value) ? value : {},
    isRequired: required.includes(name),
  }))
}

/** Keywords that a model does not need: bookkeeping and bounds. A call out of bounds is answered with the reason. */
const CLUTTER = new Set(
  (
    '$schema $id $comment title default examples additionalProperties unevaluatedProperties propertyNames deprecated ' +
    'readOnly writeOnly minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems ' +
    'maxItems uniqueItems minProperties maxProperties'
  ).split(' '),
)
/** Keywords whose values map names to schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
/** Keywords whose values are data. */
const DATA = new Set(['enum', 'const', 'required'])

/** A schema without clutter. Names, types, descriptions, choices and required fields stay, at every depth. */
export function trimSchema(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !CLUTTER.has(key) && !(key === 'required' && Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (DATA.has(key)) return [key, value]
      if (!NAMED.has(key) || !isObject(value)) return [key, trimValue(value)]
      return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, trimValue(each)]))]
    }),
  )
}

function trimValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimValue)
  return isObject(value) ? trimSchema(value) : value
}

/** A TypeScript type, such as `"a"|"b"`, `string[]` or `{path: string, limit?: integer}`. */
export function typeText(schema: Schema, integer = 'integer'): string {
  const inner = (each: Schema) => typeText(each, integer)
  const values = valuesOf(schema)
  if (values) return union(values.map(value => JSON.stringify(value)))
  const choices = choicesOf(schema)
  if (choices) return union(choices.map(inner))
  const { type, items } = schema
  if (type === 'array' || (type === undefined && isObject(items))) {
    const schemaOfItem = isObject(items) ? items : {}
    const isUnion = (valuesOf(schemaOfItem) ?? choicesOf(schemaOfItem) ?? []).length > 1
    return isUnion ? `(${inner(schemaOfItem)})[]` : `${inner(schemaOfItem)}[]`
  }
  const parameters = parametersOf(schema)
  if (parameters.length > 0) return `{${parameters.map(each => parameterText(each, integer)).join(', ')}}`
  return type === 'integer' ? integer : typeof type === 'string' ? type : 'any'
}

/** Such as `limit?: integer`. */
export const parameterText = ({ name, schema, isRequired }: Parameter, integer?: string): string =>
  `${name}${isRequired ? '' : '?'}: ${typeText(schema, integer)}`

const PYTHON: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'dict',
  array: 'list',
}

/** A Python type, such as `Literal["a", "b"]`, `list[str]` or `int | None`. */
export function pythonType(schema: Schema): string {
  const values = valuesOf(schema)
  if (values) return `Literal[${values.map(value => JSON.stringify(value)).join(', ')}]`
  const choices = choicesOf(schema)
  if (choices) return union(choices.map(pythonType), ' | ')
  const { type, items } = schema
  if (type === 'array' && isObject(items)) return `list[${pythonType(items)}]`
  return typeof type === 'string' ? (PYTHON[type] ?? 'Any') : 'Any'
}

const union = (texts: readonly string[], between = '|') => [...new Set(texts)].join(between)

/** The values that a schema lists, if it does. */
function valuesOf(schema: Schema): unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum']
  return 'const' in schema ? [schema['const']] : undefined
}

/** The alternatives of a schema, if it has any. */
function choicesOf(schema: Schema): Schema[] | undefined {
  const { type } = schema
  const choices = [schema['anyOf'], schema['oneOf']].find(each => Array.isArray(each) && each.length > 0)
  if (Array.isArray(choices)) return choices.map(each => (isObject(each) ? each : {}))
  return Array.isArray(type) ? type.map((each: unknown) => ({ ...schema, type: each })) : undefined
}
