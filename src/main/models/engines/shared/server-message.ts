/** A server's description of a failure: its sentence, and the code or type it gave. */
export type ServerMessage = { text: string; code: string }

/**
 * Find the sentence in the body of a refusal. Servers agree on neither the shape (`error.message`, `error`,
 * `message`, `detail`, a list of field errors, plain text) nor the content type.
 */
export function readServerMessage(body: string): ServerMessage {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { text: looksLikeHtml(body) ? '' : body.trim(), code: '' }
  }
  return messageOf(parsed)
}

/** The same for a parsed body. */
export function messageOf(value: unknown): ServerMessage {
  if (typeof value === 'string') return { text: value.trim(), code: '' }
  if (Array.isArray(value)) return { text: value.map(fieldError).filter(Boolean).join('; '), code: '' }
  if (!isRecord(value)) return { text: '', code: '' }
  const code = [value['code'], value['type']].filter(
    each => typeof each === 'string' || typeof each === 'number',
  )
  for (const key of ['error', 'message', 'detail', 'errors']) {
    const inner = value[key]
    if (inner === undefined || inner === null) continue
    const words = messageOf(inner)
    if (words.text !== '') return { text: words.text, code: words.code || code.join(' ') }
  }
  return { text: '', code: code.join(' ') }
}

/** Whether a text is a web page rather than an API response. */
export const looksLikeHtml = (text: string) => /^\s*(<!doctype html|<html|<head|<body)/i.test(text)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** One entry of a list such as `[{ loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }]`. */
function fieldError(entry: unknown): string {
  if (!isRecord(entry)) return typeof entry === 'string' ? entry : ''
  const field = Array.isArray(entry['loc']) ? entry['loc'].at(-1) : undefined
  const text = typeof entry['msg'] === 'string' ? entry['msg'] : messageOf(entry).text
  return field === undefined ? text : `${field}: ${text}`
}
