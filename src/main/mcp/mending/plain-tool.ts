import { parseJson } from '../../lib/expected-errors.ts'
import { isRecord } from '../../lib/json-fields.ts'

/** Where servers write what a tool takes; the first is what the protocol says, the others are those of models' APIs. */
const SCHEMAS = ['inputSchema', 'input_schema', 'parameters']

/**
 * A tool as the protocol has it. Some servers list it as models are told of it, write its schema as a text, its description as
 * lines, or a list for an empty object, as PHP does. What cannot be read stays, to be refused with its reason.
 */
export function plainTool(given: unknown): unknown {
  if (!isRecord(given)) return given
  const { function: inner, ...outer } = given
  const tool = isRecord(inner) && given['name'] === undefined ? { ...outer, ...inner } : given
  const place = SCHEMAS.find(key => tool[key] !== undefined && tool[key] !== null)
  const schema = place === undefined ? undefined : plainSchema(tool[place])
  const { description } = tool
  return {
    ...tool,
    ...(schema !== undefined && { inputSchema: schema }),
    ...(isLines(description) && { description: description.join('\n') }),
  }
}

function plainSchema(given: unknown): unknown {
  const schema = typeof given === 'string' ? (parseJson(given) ?? given) : given
  const saysNothing = typeof schema === 'boolean' || (Array.isArray(schema) && schema.length === 0)
  return saysNothing ? { type: 'object' } : schema
}

const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')

/** A page of a list of tools: a list, an object by their names, or the list alone. */
export function pageOf(given: unknown): { tools: unknown[]; nextCursor: string } {
  const { tools, nextCursor } = isRecord(given) ? given : { tools: given, nextCursor: undefined }
  // Some count their pages, and where there is none it is zero.
  const isCursor = typeof nextCursor === 'string' || (typeof nextCursor === 'number' && nextCursor !== 0)
  return { tools: listOf(tools), nextCursor: isCursor ? String(nextCursor) : '' }
}

function listOf(tools: unknown): unknown[] {
  if (Array.isArray(tools)) return tools
  if (!isRecord(tools)) return []
  return Object.entries(tools).map(([name, tool]) => (isRecord(tool) ? { name, ...tool } : tool))
}
