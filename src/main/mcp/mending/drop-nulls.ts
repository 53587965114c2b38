import { isRecord } from '../../lib/json-fields.ts'
import { plainGreeting } from './plain-greeting.ts'

/**
 * Servers in Python, Go and Rust write null for missing values. Remove it here wherever it can mean nothing
 * else, so that no other code has to handle it.
 */

const withoutNulls = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

/** Fields with which a server introduces itself at its start. They contain no user data. */
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

/** Some servers answer with just a text, a number or a list. A list may be one of tools. */
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

/** Drop `_meta` if it is not an object: PHP writes an empty object as a list, which the SDK rejects. */
function withoutBadMeta(given: Record<string, unknown>): Record<string, unknown> {
  const { _meta: meta, ...rest } = given
  return meta === undefined || isRecord(meta) ? given : rest
}

/** Clean one part of an answer. The text and data in it stay unchanged. */
function plainPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { resource, ...rest } = withoutNulls(part)
  if (resource === undefined) return rest
  return { ...rest, resource: isRecord(resource) ? withoutNulls(resource) : resource }
}

/** Give an error the form of the protocol: some servers omit its code or its message. */
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

/** Remove nulls that mean “missing” from a server's message, but not from the data of its results. */
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
  // The SDK drops an empty answer, and its request would wait forever.
  if (!isFailed && (result ?? null) === null && isId(rest['id'])) return { ...rest, result: NO_RESULT }
  return {
    ...rest,
    ...(isFailed && { error: plainError(error) }),
    ...(!isFailed && result !== undefined && { result: plainAnswer(result) }),
  }
}
