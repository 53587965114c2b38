import { parseJson } from '../../../lib/expected-errors.ts'
import { fieldsOf, isRecord } from '../../../lib/json-fields.ts'
import { placesIn } from './find-refused-tools.ts'
import { boundLines, readBoundJson } from './bound-answer.ts'
import { mendStream, type EventWriter } from './mend-stream.ts'

/** Our own error code for a server that answered with a web page. */
export const WEB_PAGE = 'web_page'

/** Maximum size to read of a refusal, which is short. */
const MAX_REFUSAL_BYTES = 64 * 1024

/**
 * Return a `fetch` on top of `send` with only the headers in `said`: none from the environment, and no
 * description of this machine.
 */
export function plainFetch(said: Record<string, string>, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const headers = new Headers({ accept: 'text/event-stream, application/json', 'user-agent': 'Talaria' })
    if (init?.body) headers.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(said)) headers.set(name, value)
    const { method = 'GET', body = null, signal = null } = init ?? {}
    return send(input, { headers, method, body, signal })
  }
}

/**
 * Writes errors and answers of one protocol as a stream. `whole` takes an answer that arrived at once;
 * undefined if it is not an answer.
 */
export type StreamFormat = EventWriter & {
  error(message: string, code: string): string
  whole(answer: unknown): string | undefined
}

/** Signs of life of an answer that the SDK does not report. */
export type AnswerSigns = {
  /** Data arrived, maybe only a keep-alive comment, which the SDK hides. */
  onBytes(): void
  /** The answer is over the maximum length and ends here. */
  onCut(): void
}

/**
 * Wrap `plain` for an SDK, which understands two forms of answer: an event stream, or `{ error: { message,
 * code } }`. All other answers are converted into one of them.
 */
export function sdkFetch(
  plain: typeof fetch,
  streamFormat: StreamFormat,
  { onBytes, onCut }: AnswerSigns,
): typeof fetch {
  return async (input, init) => {
    const response = await plain(input, init)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok) return refusal(response)
    if (type.includes('text/html')) return eventStream(streamFormat.error('A web page.', WEB_PAGE))
    const signs = { onBytes, onCut }
    if (!type.includes('application/json')) return watched(response, streamFormat, signs)
    const { isJson, response: unread } = await beginsAsJson(response)
    // Some servers call every answer JSON, even a stream.
    if (!isJson) return watched(unread, streamFormat, signs)
    // Some servers ignore `stream: true` and send the answer whole. Some send an error with status 200.
    const answer = await readBoundJson(unread, onCut)
    const words = messageOf(answer)
    return eventStream(
      streamFormat.whole(answer) ??
        streamFormat.error(words.text || 'An answer without content.', words.code),
    )
  }
}

/** Write events of a stream. An event without a name has only its data. */
export const writeEvents = (...each: [name: string | undefined, data: unknown][]): string =>
  each
    .map(([name, data]) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
    .join('')

function watched(
  { body, status, headers }: Response,
  format: StreamFormat,
  { onBytes, onCut }: AnswerSigns,
): Response {
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      onBytes()
      controller.enqueue(bytes)
    },
  })
  const lines = body?.pipeThrough(watch).pipeThrough(boundLines(onCut)).pipeThrough(mendStream(format))
  return new Response(lines ?? null, { status, headers })
}

/** Check whether an answer starts like a JSON text. Also returns the answer, still unread. */
async function beginsAsJson(response: Response): Promise<{ isJson: boolean; response: Response }> {
  const reader = response.body?.getReader()
  if (!reader) return { isJson: true, response }
  const read: Uint8Array<ArrayBuffer>[] = []
  let begin = ''
  while (begin === '') {
    const { done, value } = await reader.read()
    if (done) break
    read.push(value)
    begin = new TextDecoder().decode(value).trimStart().slice(0, 1)
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = read.length > 0 ? { done: false, value: read.shift() } : await reader.read()
      if (done || !value) controller.close()
      else controller.enqueue(value)
    },
    cancel: reason => reader.cancel(reason),
  })
  const { status, headers } = response
  // A line end or the first letter of a field's name starts a stream. Anything else is read as JSON.
  return { isJson: !/^[:deri]$/.test(begin), response: new Response(body, { status, headers }) }
}

async function refusal(response: Response): Promise<Response> {
  const body = await readStart(response)
  const words = readServerMessage(body)
  const code = looksLikeHtml(body) ? WEB_PAGE : words.code
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of ['retry-after', 'retry-after-ms']) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const error = { message: words.text, code, param: placesIn(parseJson(body)) }
  return new Response(JSON.stringify({ error }), { status: response.status, headers })
}

/** Return the start of an answer, up to the maximum size of a refusal. */
export async function readStart(response: Response): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MAX_REFUSAL_BYTES) break
  }
  return text
}

const eventStream = (text: string) =>
  new Response(`${text}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })

/** A server's description of a failure: its sentence, and its code or type. */
type ServerMessage = { text: string; code: string }

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

/** Find the sentence and the code in a parsed body. */
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
    if (words.text !== '') return { text: handedOn(words.text, value), code: words.code || code.join(' ') }
  }
  return { text: '', code: code.join(' ') }
}

/** Return a gateway's sentence, followed by the one that it passes on (OpenRouter). */
function handedOn(text: string, { metadata }: Record<string, unknown>): string {
  const raw = isRecord(metadata) ? metadata['raw'] : undefined
  const words = typeof raw === 'string' ? readServerMessage(raw).text : ''
  return words === '' || text.includes(words) ? text : `${text}: ${words}`
}

/** Whether a text is a web page and not an API response. */
export const looksLikeHtml = (text: string) => /^\s*(<!doctype html|<html|<head|<body)/i.test(text)

/**
 * Convert one entry of a list, such as `{ loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }`.
 */
function fieldError(entry: unknown): string {
  if (typeof entry === 'string') return entry
  const { loc, msg } = fieldsOf(entry)
  const field = Array.isArray(loc) ? loc.at(-1) : undefined
  const text = typeof msg === 'string' ? msg : messageOf(entry).text
  return field === undefined ? text : `${field}: ${text}`
}
