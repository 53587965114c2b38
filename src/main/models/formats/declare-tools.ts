import type { Dialect, ToolSpec } from './dialect.ts'
import { markTags, type Piece } from './marked-text.ts'
import { isObject, parametersOf, parameterText, pythonType, trimSchema, typeText } from './tool-schema.ts'
import { spellGemma } from './spell-value.ts'

/**
 * Declare tools in the form of a dialect, inside its frame. `spell` writes JSON; notations without JSON ignore it.
 * Schemas are not wrapped in `{"type": "function"}`, because all of them are functions.
 */
export function declareTools(
  dialect: Dialect,
  tools: readonly ToolSpec[],
  spell: (value: unknown) => string,
): Piece[] {
  const [before, after] = dialect.frame
  const framed = (body: Piece[]) => [...markTags(dialect, before), ...body, ...markTags(dialect, after)]
  switch (dialect.declare) {
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
      const quote = dialect.notation.kind === 'gemma' ? dialect.notation.quote : '"'
      return tools.flatMap(tool => framed(gemmaDeclaration(tool, quote)))
    }
  }
}

/**
 * One line, such as `- read_file(path: string, limit?: integer): Read a file.`, without the descriptions of
 * parameters.
 */
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

/** What does not fit a signature: the descriptions of parameters, and the members of nested ones. */
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
 * `declaration:name{…}`, with types in capitals after all other keys, as in Gemma’s template. Line feeds are removed,
 * because Gemma's quotes have no escape for them.
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
