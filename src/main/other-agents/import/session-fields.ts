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

/** An object from another program's file, with the names read here. Its values may be anything. */
export type Fields = { readonly [Each in Name]?: unknown }

/** Return a value as an object; undefined if it is not one. */
export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

/** Return a value as a text; empty if it is not one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Return an instant, given as ISO text or epoch milliseconds; `otherwise` if it is neither. */
export function instantOf(value: unknown, otherwise: number): number {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) && at > 0 ? at : otherwise
}

/** Return the parts of a message: the objects of a list; a plain text is one text part. */
export const partsOf = (content: unknown): Fields[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content.flatMap(part => fieldsOf(part) ?? [])
      : []

/** Return the texts of the parts of these types, one per line. */
export const textsIn = (content: unknown, types: readonly string[] = ['text']): string =>
  partsOf(content)
    .filter(({ type }) => types.includes(textOf(type)))
    .map(({ text }) => textOf(text))
    .filter(text => text !== '')
    .join('\n')

/** Parse a line as an object; undefined if it is not one. */
export function parseLine(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line))
  } catch {
    return undefined
  }
}
