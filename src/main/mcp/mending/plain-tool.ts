import { parseJson } from '../../lib/expected-errors.ts'
import { isRecord } from '../../lib/json-fields.ts'

/** Keys for a tool's schema: first that of the protocol, then those of model APIs. */
const SCHEMAS = ['inputSchema', 'input_schema', 'parameters']

/**
 * Give a tool the form of the protocol. Some servers list tools in the form of model APIs, write the schema
 * as text, the description as lines, or an empty object as a list, as PHP does. What cannot be read stays,
 * and is refused with its reason.
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

/** Read a page of tools: a list, an object by name, or just the list. */
export function pageOf(given: unknown): { tools: unknown[]; nextCursor: string } {
  const { tools, nextCursor } = isRecord(given) ? given : { tools: given, nextCursor: undefined }
  // Some servers number their pages, and send 0 if there is none.
  const isCursor = typeof nextCursor === 'string' || (typeof nextCursor === 'number' && nextCursor !== 0)
  return { tools: listOf(tools), nextCursor: isCursor ? String(nextCursor) : '' }
}

function listOf(tools: unknown): unknown[] {
  if (Array.isArray(tools)) return tools
  if (!isRecord(tools)) return []
  return Object.entries(tools).map(([name, tool]) => (isRecord(tool) ? { name, ...tool } : tool))
}
