/** What a server said about a failure: its sentence, and the code or type that it gave. */
export type ServerWords = { text: string; code: string }

/**
 * Find the sentence in the body of a refusal. Servers agree on neither the shape (`error.message`, `error`, `message`,
 * `detail`, a list of field errors, plain text) nor the content type.
 */
export function serverWords(body: string): ServerWords {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { text: looksLikeHtml(body) ? '' : body.trim(), code: '' }
  }
  return wordsOf(parsed)
}

/** The same for a body that is parsed already. */
export function wordsOf(value: unknown): ServerWords {
  if (typeof value === 'string') return { text: value.trim(), code: '' }
  if (Array.isArray(value)) return { text: value.map(fieldError).filter(Boolean).join('; '), code: '' }
  if (!isRecord(value)) return { text: '', code: '' }
  const code = [value['code'], value['type']].filter(
    each => typeof each === 'string' || typeof each === 'number',
  )
  for (const key of ['error', 'message', 'detail', 'errors']) {
    const inner = value[key]
    if (inner === undefined || inner === null) continue
    const words = wordsOf(inner)
    if (words.text !== '') return { text: words.text, code: words.code || code.join(' ') }
  }
  return { text: '', code: code.join(' ') }
}

/** Whether a text is a web page rather than an answer of an API. */
export const looksLikeHtml = (text: string) => /^\s*(<!doctype html|<html|<head|<body)/i.test(text)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** One entry of a list such as `[{ loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }]`. */
function fieldError(entry: unknown): string {
  if (!isRecord(entry)) return typeof entry === 'string' ? entry : ''
  const field = Array.isArray(entry['loc']) ? entry['loc'].at(-1) : undefined
  const text = typeof entry['msg'] === 'string' ? entry['msg'] : wordsOf(entry).text
  return field === undefined ? text : `${field}: ${text}`
}
