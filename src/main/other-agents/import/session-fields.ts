type Name =
  | 'action'
  | 'arguments'
  | 'call_id'
  | 'checkpoint'
  | 'content'
  | 'cwd'
  | 'exit_code'
  | 'id'
  | 'input'
  | 'isCompactSummary'
  | 'isError'
  | 'isMeta'
  | 'isSidechain'
  | 'is_error'
  | 'kind'
  | 'logicalParentUuid'
  | 'message'
  | 'metadata'
  | 'model'
  | 'name'
  | 'namespace'
  | 'num_turns'
  | 'output'
  | 'parentId'
  | 'parentUuid'
  | 'payload'
  | 'role'
  | 'source'
  | 'stopReason'
  | 'success'
  | 'text'
  | 'timestamp'
  | 'toolCallId'
  | 'tool_use_id'
  | 'type'
  | 'uuid'
  | 'version'

/** An object of a file that another program wrote, with the names that are read here. What they hold is not known. */
export type Fields = { readonly [Each in Name]?: unknown }

/** A value as an object; undefined when it is something else. */
export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

/** A value as a text; empty when it is something else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An instant, given as ISO text or in epoch milliseconds; `otherwise` when it is neither. */
export function instantOf(value: unknown, otherwise: number): number {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) && at > 0 ? at : otherwise
}

/** The parts of a message: objects in a list; a plain text is one part of text. */
export const partsOf = (content: unknown): Fields[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content.flatMap(part => fieldsOf(part) ?? [])
      : []

/** The texts of the parts of these types, one a line. */
export const textsIn = (content: unknown, types: readonly string[] = ['text']): string =>
  partsOf(content)
    .filter(({ type }) => types.includes(textOf(type)))
    .map(({ text }) => textOf(text))
    .filter(text => text !== '')
    .join('\n')

/** A line as an object; undefined when it is none. */
export function parseLine(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line))
  } catch {
    return undefined
  }
}
