import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'

/**
 * One tool call in an answer. `pieces` is the number of fragments for its arguments; `index` and `id` can be
 * omitted on purpose.
 */
type ServedCall = {
  name: string
  arguments: string | Record<string, unknown>
  id?: string | null
  index?: number | null
  pieces?: number
}

/** How the server answers one request. Everything is optional: `{}` is an empty, well-formed answer. */
export type ServedReply = {
  text?: string | string[]
  reasoning?: string | string[]
  reasoningField?: 'reasoning_content' | 'reasoning'
  toolCalls?: ServedCall[]
  /** Chunks sent verbatim, after everything above. */
  chunks?: unknown[]
  finish?: string | null
  /** `false` omits the usage, even if the client requested it. */
  usage?: Record<string, unknown> | false
  /** Milliseconds before each chunk. */
  delayMs?: number
  /** Send chunks in packets of this many bytes, which also splits characters. */
  packetBytes?: number
  /** A status other than 200: `body` is sent instead of a stream. */
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** An HTML page with status 200 (or `status`). */
  html?: string
  /** Cut the connection after this many chunks. */
  breakAfter?: number
  /** End the stream normally after this many chunks, without a finish reason. */
  endAfter?: number
  /** Sent instead of the rest after this many chunks: `garbage` verbatim, `error` as an error object. */
  garbage?: string
  error?: unknown
  after?: number
  /** Stall this long after `after` chunks (default: before the first one). */
  stallMs?: number
  /** Stall after this many chunks until the promise resolves or the client disconnects. */
  halts?: readonly { after: number; until: Promise<unknown> }[]
  /** While stalled, send a keep-alive comment at this interval in ms. */
  commentMs?: number
}

/** A request as it arrived. `cut` resolves to true if the client disconnected before the answer was complete. */
export type ServedRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: any
  cut: Promise<boolean>
}

export type OpenAiServer = {
  /** The base URL for a client, ending in `/v1`. */
  baseUrl: string
  /** All requests in order, including `/v1/models`. */
  requests: ServedRequest[]
  /** The chat requests among them. */
  chats(): ServedRequest[]
  /** Queue answers; the last one repeats. */
  reply(...replies: (ServedReply | ((request: ServedRequest) => ServedReply))[]): void
  close(): Promise<void>
}

/** JSON documents for further `GET` paths, for servers with a second API. */
type Pages = Record<string, unknown>

/**
 * Start a local server for the Chat Completions protocol, streamed or not, that misbehaves on request. `models`
 * is the list at `/v1/models`; `pages` are further JSON documents by path; `key` is required in every request.
 */
export async function startOpenAiServer(
  options: { models?: unknown[]; pages?: Pages; port?: number; key?: string } = {},
): Promise<OpenAiServer> {
  const requests: ServedRequest[] = []
  const queue: (ServedReply | ((request: ServedRequest) => ServedReply))[] = []
  const sockets = new Set<Socket>()
  const closing = new AbortController()

  async function answer(incoming: IncomingMessage, response: ServerResponse) {
    const request = await receive(incoming, response)
    requests.push(request)
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return sendJson(response, 401, { error: { message: 'Incorrect API key provided.' } })
    const page = options.pages?.[request.path]
    if (request.path === '/v1/models')
      return sendJson(response, 200, { object: 'list', data: options.models ?? [{ id: 'test-model' }] })
    if (page !== undefined) return sendJson(response, 200, page)
    if (request.path !== '/v1/chat/completions' || request.method !== 'POST')
      return sendJson(response, 404, { error: { message: 'File Not Found', type: 'not_found_error' } })
    const planned = (queue.length > 1 ? queue.shift() : queue[0]) ?? { text: 'Hello.' }
    const reply = typeof planned === 'function' ? planned(request) : planned
    if (reply.html !== undefined) {
      response.writeHead(reply.status ?? 200, { 'content-type': 'text/html', ...reply.headers })
      response.end(reply.html)
    } else if (reply.status !== undefined || reply.body !== undefined) {
      if (reply.stallMs !== undefined) await pause(reply.stallMs, closing.signal)
      sendJson(response, reply.status ?? 200, reply.body ?? { error: { message: 'no' } }, reply.headers)
    } else if (request.body?.stream === true) {
      await streamReply(response, reply, request.body, closing.signal)
    } else sendJson(response, 200, wholeAnswer(reply, request.body))
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    chats: () => requests.filter(each => each.path === '/v1/chat/completions'),
    reply: (...replies) => {
      queue.splice(0, queue.length, ...replies)
    },
    close: () => {
      closing.abort()
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<ServedRequest> {
  const cut = new Promise<boolean>(resolve => response.on('close', () => resolve(!response.writableFinished)))
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return {
    method: incoming.method ?? '',
    path: (incoming.url ?? '').replace(/\?.*/, ''),
    headers: incoming.headers,
    body: text === '' ? undefined : JSON.parse(text),
    cut,
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function streamReply(response: ServerResponse, reply: ServedReply, body: any, signal: AbortSignal) {
  const { after = 0, delayMs = 0 } = reply
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  response.flushHeaders()
  const chunks = chunksOf(reply)
  const send = async (value: unknown) => {
    const bytes = Buffer.from(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
    const size = reply.packetBytes ?? bytes.length
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size))
      if (size < bytes.length) await immediate()
    }
  }

  for (let sent = 0; ; sent++) {
    if (reply.stallMs !== undefined && sent === after) {
      const comments = reply.commentMs && setInterval(() => response.write(': alive\n\n'), reply.commentMs)
      await pause(reply.stallMs, signal)
      clearInterval(comments)
    }
    for (const { after, until } of reply.halts ?? [])
      if (sent === after) await Promise.race([until, gone(response)])
    if (sent === reply.breakAfter) {
      // Flush first, or the client sees a refused connection instead of a break.
      await sleep(20)
      response.destroy()
      return
    }
    if (sent === reply.endAfter) return void response.end()
    if (sent === after && reply.garbage !== undefined) return void response.end(reply.garbage)
    if (sent === after && reply.error !== undefined) {
      await send({ error: reply.error })
      return void response.end()
    }
    if (sent === chunks.length || response.destroyed) break
    if (delayMs > 0) await pause(delayMs, signal)
    await send(chunks[sent])
  }
  const finish = reply.finish === undefined ? (reply.toolCalls ? 'tool_calls' : 'stop') : reply.finish
  if (finish !== null) await send(chunk({}, finish))
  if (reply.usage !== false && body.stream_options?.include_usage === true)
    await send({ ...chunk({}), choices: [], usage: reply.usage ?? usageOf(chunks.length) })
  await send('[DONE]')
  response.end()
}

const gone = (response: ServerResponse) =>
  new Promise<void>(resolve => (response.destroyed ? resolve() : response.once('close', resolve)))

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

const usageOf = (tokens: number) => ({
  prompt_tokens: 10,
  completion_tokens: tokens,
  total_tokens: 10 + tokens,
})

const chunk = (delta: unknown, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'test-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const listOf = (text: string | string[] | undefined) => (text === undefined ? [] : [text].flat())

function chunksOf(reply: ServedReply): unknown[] {
  const field = reply.reasoningField ?? 'reasoning_content'
  return [
    ...listOf(reply.reasoning).map(text => chunk({ [field]: text })),
    ...listOf(reply.text).map(text => chunk({ content: text })),
    ...(reply.toolCalls ?? [])
      .flatMap((call, at) => fragmentsOf(call, at))
      .map(call => chunk({ tool_calls: [call] })),
    ...(reply.chunks ?? []),
  ]
}

/** As in the protocol, the first fragment names the call and the others only carry arguments. */
function fragmentsOf(call: ServedCall, at: number): unknown[] {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
  const index = call.index === null ? {} : { index: call.index ?? at }
  const id = call.id === null ? {} : { id: call.id ?? `call_${at}` }
  const size = Math.ceil(text.length / (call.pieces ?? 1)) || 1
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? ['']
  return pieces.map((piece, number) =>
    number === 0
      ? { ...index, ...id, type: 'function', function: { name: call.name, arguments: piece } }
      : { ...index, function: { arguments: piece } },
  )
}

function wholeAnswer(reply: ServedReply, body: any) {
  const calls = (reply.toolCalls ?? []).map((call, at) => ({
    id: call.id ?? `call_${at}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }))
  const message = {
    role: 'assistant',
    content: listOf(reply.text).join(''),
    ...(reply.reasoning !== undefined && {
      [reply.reasoningField ?? 'reasoning_content']: listOf(reply.reasoning).join(''),
    }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body?.model,
    choices: [
      { index: 0, message, finish_reason: reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') },
    ],
    ...(reply.usage !== false && { usage: reply.usage ?? usageOf(1) }),
  }
}
