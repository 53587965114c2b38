import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatRequest, ModelRequest, ModelStep } from './protocol.ts'

/** A Chat Completions server for many hosts that says only what tests script. */
export type ServedModel = {
  /** The base URL for one host, ending in `/v1`. */
  baseUrl(hostId: string): string
  /** Set the model list that the server shows to one host. */
  list(hostId: string, models: readonly object[]): void
  /** Continue an answer. Steps after its end, or after the host disconnected, are ignored. */
  answer(requestId: string, steps: readonly ModelStep[]): void
  close(): void
}

type Told = { asked: (request: ModelRequest) => void; cut: (request: ModelRequest) => void }

/**
 * Start the server on loopback; `asked` is called for each request, and `cut` when a host disconnects before
 * the answer ended.
 */
export async function startServedModel({ asked, cut }: Told): Promise<ServedModel> {
  const open = new Map<string, ServerResponse>()
  const lists = new Map<string, readonly object[]>()
  let lastId = 0
  const server = createServer((incoming, response) => {
    const [, hostId, what] = /^\/([\w-]+)\/v1\/(chat\/completions|models)$/.exec(incoming.url ?? '') ?? []
    const list = what === 'models' && hostId !== undefined ? lists.get(hostId) : undefined
    if (list) return sendList(response, list)
    if (incoming.method !== 'POST' || hostId === undefined) return sendError(response, 404, 'File Not Found')
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as ChatRequest
      const request = { id: `request-${++lastId}`, hostId, body }
      open.set(request.id, response)
      response.on('close', () => {
        open.delete(request.id)
        if (!response.writableEnded) cut(request)
      })
      asked(request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: hostId => `http://127.0.0.1:${port}/${hostId}/v1`,
    list: (hostId, models) => void lists.set(hostId, models),
    answer(requestId, steps) {
      const response = open.get(requestId)
      if (response) for (const step of steps) take(response, step)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function take(response: ServerResponse, step: ModelStep): void {
  if (response.writableEnded || response.destroyed) return
  if ('fail' in step) return sendError(response, step.fail.status, step.fail.message)
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('hangUp' in step) return void response.destroy()
  if ('text' in step) send(response, chunk({ content: step.text }))
  else if ('reasoning' in step) send(response, chunk({ reasoning_content: step.reasoning }))
  else if ('call' in step) {
    const { id, name, arguments: given } = step.call
    const call = { index: callsOf(response), id, type: 'function' }
    send(response, chunk({ tool_calls: [{ ...call, function: { name, arguments: JSON.stringify(given) } }] }))
  } else {
    const { usage, finish } = step.end
    send(response, chunk({}, finish ?? (counts.has(response) ? 'tool_calls' : 'stop')))
    const counted = usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    send(response, { ...chunk({}), choices: [], usage: counted })
    response.end('data: [DONE]\n\n')
  }
}

/** Number of calls in an answer so far, which is the index of the next one. */
const counts = new WeakMap<ServerResponse, number>()
function callsOf(response: ServerResponse): number {
  const index = counts.get(response) ?? 0
  counts.set(response, index + 1)
  return index
}

const send = (response: ServerResponse, value: unknown) =>
  void response.write(`data: ${JSON.stringify(value)}\n\n`)

function sendList(response: ServerResponse, data: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data }))
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message } }))
}

const chunk = (delta: unknown, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'served',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
