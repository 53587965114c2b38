import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A block of an answer; `pieces` is the number of deltas for its text. */
export type ServedBlock =
  | { text: string; pieces?: number }
  | { thinking: string; signature: string; pieces?: number }
  | { redacted: string }
  | { tool: string; input: Record<string, unknown> | string; pieces?: number }

/** How the server answers one request. `{}` says “Hello.” */
export type ServedMessage = {
  content?: ServedBlock[]
  stop?: string
  /** A status other than 200, or a complete JSON body instead of a stream. */
  status?: number
  headers?: Record<string, string>
  body?: unknown
  html?: string
  /** Cut the connection, or send an error, after this many events. */
  breakAfter?: number
  errorAfter?: number
  error?: { type: string; message: string }
  /** Stall this long after the first event. */
  stallMs?: number
}

type MessageRequest = { path: string; headers: IncomingHttpHeaders; body: any }

export type AnthropicServer = {
  /** The base URL, without `/v1`. */
  baseUrl: string
  requests: MessageRequest[]
  /** The bodies of the message requests. */
  bodies(): any[]
  /** Queue answers; the last one repeats. */
  reply(...replies: ServedMessage[]): void
  close(): Promise<void>
}

/**
 * Start a local server for the Messages API. It caches blocks up to each `cache_control` mark and counts
 * tokens like the real one: blocks found again at a mark, or up to twenty blocks before one, count as cached.
 * It rejects what the real one rejects: more than four marks, marks on empty blocks or thinking, empty texts,
 * calls without results, and results without calls.
 */
export async function startAnthropicServer(options: { models?: unknown[] } = {}): Promise<AnthropicServer> {
  const requests: MessageRequest[] = []
  const queue: ServedMessage[] = []
  const sockets = new Set<Socket>()
  const closing = new AbortController()
  const cache = new Set<string>()

  async function answer(incoming: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const path = (incoming.url ?? '').replace(/\?.*/, '')
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push({ path, headers: incoming.headers, body })
    if (path === '/v1/models')
      return sendJson(response, 200, { data: options.models ?? [{ id: 'claude-test' }], has_more: false })
    if (path.startsWith('/v1/models/'))
      return sendJson(response, 200, { id: 'claude-test', max_input_tokens: 123_456 })
    if (path !== '/v1/messages') return sendJson(response, 404, anError('not_found_error', 'Not found'))
    const reply = (queue.length > 1 ? queue.shift() : queue[0]) ?? {}
    if (reply.html !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html' })
      return response.end(reply.html)
    }
    if (reply.status !== undefined || reply.body !== undefined)
      return sendJson(response, reply.status ?? 200, reply.body ?? anError('api_error', 'no'), reply.headers)
    const refusal = objection(body)
    if (refusal) return sendJson(response, 400, anError('invalid_request_error', refusal))
    return stream(response, reply, count(cache, body), closing.signal)
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bodies: () => requests.filter(each => each.path === '/v1/messages').map(each => each.body),
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

/** An error in the real server's format. */
export const anError = (type: string, message: string) => ({ type: 'error', error: { type, message } })

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function stream(response: ServerResponse, reply: ServedMessage, usage: object, signal: AbortSignal) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const content = reply.content ?? [{ text: 'Hello.' }]
  const calls = content.some(block => 'tool' in block)
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage }
  const events: { type: string }[] = [
    { type: 'message_start', message } as { type: string },
    ...content.flatMap(eventsOf),
    {
      type: 'message_delta',
      delta: { stop_reason: reply.stop ?? (calls ? 'tool_use' : 'end_turn') },
      usage: { output_tokens: content.length * 5 },
    } as { type: string },
    { type: 'message_stop' },
  ]
  for (const [sent, event] of events.entries()) {
    if (sent === reply.breakAfter) {
      // Flush first, or the client sees a refused connection instead of a break.
      await sleep(20)
      return response.destroy()
    }
    if (sent === reply.errorAfter) {
      response.write(`event: error\ndata: ${JSON.stringify({ type: 'error', error: reply.error })}\n\n`)
      return response.end()
    }
    if (sent === 1 && reply.stallMs) await sleep(reply.stallMs, undefined, { signal }).catch(() => undefined)
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    if (sent === 0) response.write('event: ping\ndata: {"type":"ping"}\n\n')
  }
  return response.end()
}

function eventsOf(block: ServedBlock, index: number): { type: string }[] {
  const start = (content_block: object) => ({ type: 'content_block_start', index, content_block })
  const delta = (given: object) => ({ type: 'content_block_delta', index, delta: given })
  const cut = (text: string) =>
    text.match(
      new RegExp(`[^]{1,${Math.ceil(text.length / (('pieces' in block && block.pieces) || 1)) || 1}}`, 'g'),
    ) ?? []
  const stop = { type: 'content_block_stop', index }
  if ('redacted' in block) return [start({ type: 'redacted_thinking', data: block.redacted }), stop]
  if ('tool' in block) {
    const json = typeof block.input === 'string' ? block.input : JSON.stringify(block.input)
    return [
      start({ type: 'tool_use', id: `toolu_${index}`, name: block.tool, input: {} }),
      ...cut(json).map(partial_json => delta({ type: 'input_json_delta', partial_json })),
      stop,
    ]
  }
  if ('thinking' in block)
    return [
      start({ type: 'thinking', thinking: '', signature: '' }),
      ...cut(block.thinking).map(thinking => delta({ type: 'thinking_delta', thinking })),
      delta({ type: 'signature_delta', signature: block.signature }),
      stop,
    ]
  return [
    start({ type: 'text', text: '' }),
    ...cut(block.text).map(text => delta({ type: 'text_delta', text })),
    stop,
  ]
}

type Block = { type: string; cache_control?: { ttl?: string }; [field: string]: unknown }

/** All input blocks in order: tools, system prompt, messages. */
const blocksOf = (body: any): Block[] => [
  ...(body.tools ?? []),
  ...(body.system ?? []),
  ...body.messages.flatMap((message: any) =>
    message.content.map((block: Block) => ({ role: message.role, ...block })),
  ),
]

/** Why the real server would reject a body; undefined if it would accept it. */
function objection(body: any): string | undefined {
  const blocks = blocksOf(body)
  const marked = blocks.filter(block => block.cache_control)
  if (!(body.max_tokens > 0)) return 'max_tokens: Field required'
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`
  for (const block of marked) {
    if (/thinking/.test(block.type)) return 'cache_control cannot be set for thinking blocks'
    if (block['text'] === '' || (block.type === 'tool_result' && !block['content']))
      return 'cache_control cannot be set for empty text blocks'
  }
  if (blocks.some(block => block.type === 'text' && block['text'] === ''))
    return 'messages: text content blocks must be non-empty'
  if (body.messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  for (const [at, message] of body.messages.entries()) {
    const calls = message.content
      .filter((block: Block) => block.type === 'tool_use')
      .map((each: Block) => each['id'])
    const next = body.messages[at + 1]?.content ?? []
    const results = next
      .filter((each: Block) => each.type === 'tool_result')
      .map((each: Block) => each['tool_use_id'])
    if (calls.join() !== results.join()) return 'messages: tool_use ids were found without tool_result blocks'
    if (body.thinking && calls.length > 0 && isCurrent(body, at) && !/thinking/.test(message.content[0].type))
      return 'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block'
  }
  return undefined
}

/** Whether no user question follows the message. */
const isCurrent = (body: any, at: number): boolean =>
  body.messages
    .slice(at + 1)
    .every(
      (message: any) =>
        message.role === 'assistant' || message.content.every((each: Block) => each.type === 'tool_result'),
    )

/** Blocks before a mark to search in the cache. */
const LOOKBACK = 20

function count(cache: Set<string>, body: any) {
  const hash = createHash('sha256').update(body.model)
  const blocks = blocksOf(body).map(({ cache_control, ...block }) => {
    hash.update(JSON.stringify(block))
    return { marked: cache_control, key: hash.copy().digest('hex'), tokens: JSON.stringify(block).length / 4 }
  })
  const upTo = (end: number) =>
    Math.round(blocks.slice(0, end + 1).reduce((sum, each) => sum + each.tokens, 0))
  const marks = blocks.flatMap((block, at) => (block.marked ? [at] : []))
  const found = marks.flatMap(at =>
    Array.from({ length: LOOKBACK }, (_, back) => at - back).filter(each =>
      cache.has(blocks[each]?.key ?? ''),
    ),
  )
  const read = found.length > 0 ? upTo(Math.max(...found)) : 0
  const written = marks.length > 0 ? upTo(marks.at(-1)!) - read : 0
  for (const at of marks) cache.add(blocks[at]!.key)
  return {
    input_tokens: upTo(blocks.length) - read - written,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 1,
  }
}
