import { looksLikeHtml, serverWords, wordsOf } from './server-words.ts'

/** The code that stands in an error body of ours when a server answered with a web page. */
export const WEB_PAGE = 'web_page'

/** Refusals are short; what is longer is not worth reading. */
const MAX_REFUSAL_BYTES = 64 * 1024

/**
 * A `fetch` that says only what must be said: no headers from the environment, no description of this machine, and no
 * key when there is none.
 */
export function plainFetch(apiKey: string): typeof fetch {
  return async (input, init) => {
    const headers = new Headers({ accept: 'text/event-stream, application/json', 'user-agent': 'Talaria' })
    if (init?.body) headers.set('content-type', 'application/json')
    if (apiKey !== '') headers.set('authorization', `Bearer ${apiKey}`)
    const { method = 'GET', body = null, signal = null } = init ?? {}
    return fetch(input, { headers, method, body, signal })
  }
}

/**
 * The same for the SDK, which understands two forms of answer: an event stream, or `{ error: { message, code } }`.
 * Everything else that servers send is put into one of them. `onBytes` is called for whatever arrives, comments that
 * only keep the connection alive included, which the SDK does not show.
 */
export function sdkFetch(plain: typeof fetch, onBytes: () => void): typeof fetch {
  return async (input, init) => {
    const response = await plain(input, init)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok) return refusal(response)
    if (type.includes('text/html')) return eventStream({ error: { message: 'A web page.', code: WEB_PAGE } })
    return type.includes('application/json') ? wholeAnswer(response) : watched(response, onBytes)
  }
}

function watched({ body, status, headers }: Response, onBytes: () => void): Response {
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      onBytes()
      controller.enqueue(bytes)
    },
  })
  return new Response(body?.pipeThrough(watch) ?? null, { status, headers })
}

async function refusal(response: Response): Promise<Response> {
  const body = await readStart(response)
  const words = serverWords(body)
  const error = looksLikeHtml(body)
    ? { message: words.text, code: WEB_PAGE }
    : { message: words.text, code: words.code }
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of ['retry-after', 'retry-after-ms']) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(JSON.stringify({ error }), { status: response.status, headers })
}

async function readStart(response: Response): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MAX_REFUSAL_BYTES) break
  }
  return text
}

/** Some servers ignore `stream: true` and send the answer in one piece; some send an error with status 200. */
async function wholeAnswer(response: Response): Promise<Response> {
  const body = (await response.json()) as { choices?: { message?: object }[] } | null
  if (!Array.isArray(body?.choices)) {
    const words = wordsOf(body)
    return eventStream({ error: { message: words.text || 'An answer without content.', code: words.code } })
  }
  return eventStream({ ...body, choices: body.choices.map(choice => ({ ...choice, delta: choice.message })) })
}

const eventStream = (event: unknown) =>
  new Response(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })
