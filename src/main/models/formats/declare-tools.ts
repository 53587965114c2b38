import type { Format, ToolSpec } from './format-types.ts'
import { markTags, type Piece } from './marked-text.ts'
import { spellGemma } from './write-calls.ts'

/**
 * Declare tools as a format does, inside its frame. `spell` writes JSON; notations without JSON ignore it.
 * Schemas are not wrapped in `{"type": "function"}`, because every tool is a function.
 */
export function declareTools(
  format: Format,
  tools: readonly ToolSpec[],
  spell: (value: unknown) => string,
): Piece[] {
  const [before, after] = format.frame
  const framed = (body: Piece[]) => [...markTags(format, before), ...body, ...markTags(format, after)]
  switch (format.declare) {
    case 'schemas':
      return framed([tools.map(tool => spell(schemaOf(tool))).join('\n')])
    case 'schema-list':
      return framed([spell(tools.map(schemaOf))])
    case 'signatures':
      return framed([tools.map(signatureOf).join('\n\n')])
    case 'typescript':
      return framed([
        `namespace functions {\n\n${tools.map(typeOf).join('\n\n')}\n\n} // namespace functions`,
      ])
    case 'gemma': {
      const quote = format.notation.kind === 'gemma' ? format.notation.quote : '"'
      return tools.flatMap(tool => framed(gemmaDeclaration(tool, quote)))
    }
  }
}

/** One line without parameter descriptions: `- read_file(path: string, limit?: integer): Read a file.` */
export function toolLine({ name, description, parameters }: ToolSpec): string {
  const given = parametersOf(parameters).map(each => parameterText(each))
  return `- ${name}(${given.join(', ')}): ${oneLine(description)}`
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const schemaOf = ({ name, description, parameters }: ToolSpec) => ({
  name,
  description: description.trim(),
  parameters: trimSchema(parameters),
})

/** The parts of a tool that a signature cannot express: descriptions and nested members of parameters. */
const explained = (tool: ToolSpec): string[] =>
  parametersOf(tool.parameters).flatMap(({ name, schema }) => {
    const parts = typeText(schema)
    const { description } = schema
    const says = [
      parts.includes('{') ? parts : '',
      typeof description === 'string' ? oneLine(description) : '',
    ]
    const text = says.filter(each => each !== '').join(' – ')
    return text === '' ? [] : [`${name}: ${text}`]
  })

/** A Python function with a docstring. */
function signatureOf(tool: ToolSpec): string {
  const given = parametersOf(tool.parameters)
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map(({ name, schema, isRequired }) => `${name}: ${pythonType(schema)}${isRequired ? '' : ' = None'}`)
  const lines = explained(tool).map(line => `\n        ${line}`)
  const rest = lines.length > 0 ? `\n\n    Args:${lines.join('')}\n    ` : ''
  const says = `${oneLine(tool.description)}${rest}`.replaceAll('"""', "'''")
  return `def ${tool.name}(${given.join(', ')}) -> str:\n    """${says}"""`
}

/** A TypeScript function type with comments. */
function typeOf(tool: ToolSpec): string {
  const members = parametersOf(tool.parameters).flatMap(parameter => {
    const { description } = parameter.schema
    const comment = typeof description === 'string' ? [`// ${oneLine(description)}`] : []
    return [...comment, `${parameterText(parameter, 'number')},`]
  })
  const given = members.length > 0 ? `_: {\n${members.join('\n')}\n}` : ''
  return `// ${oneLine(tool.description)}\ntype ${tool.name} = (${given}) => any;`
}

/**
 * `declaration:name{…}`, with types in capitals after all other keys, as in Gemma’s template. Line feeds are
 * removed, because Gemma's quotes have no escape for them.
 */
function gemmaDeclaration({ name, description, parameters }: ToolSpec, quote: string): Piece[] {
  const schema = capitalised(trimSchema(parameters))
  return [
    `declaration:${name}`,
    ...spellGemma({ description: oneLine(description), parameters: schema }, quote),
  ]
}

function capitalised(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map(each => capitalised(each))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (isNames) return [key, capitalised(value)]
    if (key === 'description' && typeof value === 'string') return [key, oneLine(value)]
    if (key === 'type') return [key, inCapitals(value)]
    if (key === 'enum' || key === 'const' || key === 'required') return [key, value]
    return [key, capitalised(value, key === 'properties')]
  })
  const isType = ([key]: [string, unknown]) => !isNames && key === 'type'
  return Object.fromEntries([...entries.filter(each => !isType(each)), ...entries.filter(isType)])
}

const inCapitals = (type: unknown): unknown =>
  Array.isArray(type) ? type.map(inCapitals) : typeof type === 'string' ? type.toUpperCase() : type

/** A JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One parameter of a tool, or one member of an object. */
type Parameter = { name: string; schema: Schema; isRequired: boolean }

/** The parameters of a schema, in its order. */
function parametersOf(schema: Schema): Parameter[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(([name, value]) => ({
    name,
    schema: isObject(value) ? value : {},
    isRequired: required.includes(name),
  }))
}

/** Keywords that a model does not need. A call out of bounds gets the reason as its result. */
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

/** Remove clutter from a schema at every depth. Names, types, descriptions, choices and `required` stay. */
function trimSchema(schema: Schema): Schema {
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
function typeText(schema: Schema, integer = 'integer'): string {
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

/** Write one parameter, such as `limit?: integer`. */
const parameterText = ({ name, schema, isRequired }: Parameter, integer?: string): string =>
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
function pythonType(schema: Schema): string {
  const values = valuesOf(schema)
  if (values) return `Literal[${values.map(value => JSON.stringify(value)).join(', ')}]`
  const choices = choicesOf(schema)
  if (choices) return union(choices.map(pythonType), ' | ')
  const { type, items } = schema
  if (type === 'array' && isObject(items)) return `list[${pythonType(items)}]`
  return typeof type === 'string' ? (PYTHON[type] ?? 'Any') : 'Any'
}

const union = (texts: readonly string[], between = '|') => [...new Set(texts)].join(between)

/** The values that a schema lists; undefined if it lists none. */
function valuesOf(schema: Schema): unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum']
  return 'const' in schema ? [schema['const']] : undefined
}

/** The alternatives of a schema; undefined if it has none. */
function choicesOf(schema: Schema): Schema[] | undefined {
  const { type } = schema
  const choices = [schema['anyOf'], schema['oneOf']].find(each => Array.isArray(each) && each.length > 0)
  if (Array.isArray(choices)) return choices.map(each => (isObject(each) ? each : {}))
  return Array.isArray(type) ? type.map((each: unknown) => ({ ...schema, type: each })) : undefined
}
