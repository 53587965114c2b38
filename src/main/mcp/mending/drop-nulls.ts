import { isRecord } from '../../lib/json-fields.ts'
import { plainGreeting } from './plain-greeting.ts'

/**
 * Servers in Python, Go and Rust write null for what is not there. Here it is taken away wherever it can mean nothing else, so
 * that nobody behind has to know of it.
 */

const withoutNulls = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

/** What a server says of itself when it starts; nothing in it is data of others. */
const GREETING = ['protocolVersion', 'capabilities', 'serverInfo', 'supportedVersions']
const DEEPEST = 20

function deepWithoutNulls(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map(item => deepWithoutNulls(item, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(withoutNulls(value)).map(([key, item]) => [key, deepWithoutNulls(item, depth + 1)]),
  )
}

/** Some servers answer with the text, the number or the list alone; a list may be one of tools. */
function plainAnswer(result: unknown): unknown {
  if (isRecord(result)) return plainResult(result)
  return { content: result, ...(Array.isArray(result) && { tools: result }) }
}

function plainResult(given: Record<string, unknown>): Record<string, unknown> {
  const result = withoutBadMeta(given)
  if (GREETING.some(key => key in result))
    return plainGreeting(deepWithoutNulls(result) as Record<string, unknown>)
  const { content, ...rest } = withoutNulls(result)
  if (!Array.isArray(content)) return content === undefined ? rest : { ...rest, content }
  return { ...rest, content: content.map(plainPart) }
}

/** PHP writes a list for an empty object, which the SDK takes for a broken message. */
function withoutBadMeta(given: Record<string, unknown>): Record<string, unknown> {
  const { _meta: meta, ...rest } = given
  return meta === undefined || isRecord(meta) ? given : rest
}

/** A part of an answer. The text and the data in it stay as they are. */
function plainPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { resource, ...rest } = withoutNulls(part)
  if (resource === undefined) return rest
  return { ...rest, resource: isRecord(resource) ? withoutNulls(resource) : resource }
}

/** An error as the protocol has it: some servers leave out its number or its words. */
function plainError(error: unknown): Record<string, unknown> {
  const { code, message, ...rest } = isRecord(error) ? withoutNulls(error) : { message: error }
  const number = Number(code)
  return {
    ...rest,
    code: code !== undefined && Number.isInteger(number) ? number : -32_603,
    message: typeof message === 'string' ? message : 'The server answered with an error without words.',
  }
}

const isId = (id: unknown) => typeof id === 'string' || typeof id === 'number'

const NO_RESULT = {
  content: [{ type: 'text', text: 'The server answered something that is no result.' }],
  isError: true,
}

/** A message of a server without nulls that mean “not there”; data of its results keep theirs. */
export function readNullsOf(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(readNullsOf)
  if (!isRecord(message)) return message
  const { result, error, params, method, ...rest } = message
  if (typeof method === 'string')
    return {
      ...withoutNulls(rest),
      method,
      ...(isRecord(params) && { params: withoutNulls(params) }),
      ...(params !== undefined && params !== null && !isRecord(params) && { params }),
    }
  const isFailed = error !== undefined && error !== null
  // The SDK drops an answer without anything in it, and its request would wait for nothing.
  if (!isFailed && (result ?? null) === null && isId(rest['id'])) return { ...rest, result: NO_RESULT }
  return {
    ...rest,
    ...(isFailed && { error: plainError(error) }),
    ...(!isFailed && result !== undefined && { result: plainAnswer(result) }),
  }
}
