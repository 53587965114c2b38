// Talaria's tools for other programs, over HTTP on loopback, because the conformance suites do not support
// standard streams.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { serveTools } from '../../src/main/other-agents/serve-stdio.ts'

type Message = {
  id?: number | string
  method?: string
  params?: { _meta?: Record<string, unknown> }
  error?: { code: number }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The HTTP status for a protocol error, which standard streams do not have. */
const statusOf = ({ error }: Message): number => (!error ? 200 : error.code === -32_601 ? 404 : 400)

/** One connection on standard streams: takes a message and returns its answer. `hear` gets every line. */
function openStreams(hear: (line: string) => void = () => {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveTools({ version: '1', ask: async () => ({ ok: true, text: 'Found.' }), input, output })
  const waiting = new Map<number | string, (line: string) => void>()
  let rest = ''
  output.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      hear(line)
      waiting.get((JSON.parse(line) as Message).id ?? '')?.(line)
    }
  })
  return {
    close: served.close,
    send(message: Message): Promise<string> | undefined {
      const { id } = message
      const answered = id === undefined ? undefined : new Promise<string>(resolve => waiting.set(id, resolve))
      input.write(`${JSON.stringify(message)}\n`)
      return answered
    },
  }
}

/**
 * An address that takes a message and answers it. Messages of the older era share a connection, which they
 * start with `initialize`. Messages of the newer era are self-contained, and a connection serves one era, so
 * each gets its own connection.
 */
export async function bridgeTools() {
  const older = openStreams()
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming)
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end()
    const message = JSON.parse(body) as Message
    const isNewer = message.params?._meta?.[VERSION] !== undefined
    // A subscription sends its events as a stream until the client disconnects.
    if (isNewer && message.method === 'subscriptions/listen') {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      const listened = openStreams(line => void outgoing.write(`data: ${line}\n\n`))
      void listened.send(message)
      outgoing.on('close', () => void listened.close())
      return
    }
    const streams = isNewer ? openStreams() : older
    const answered = streams.send(message)
    if (!answered) return void outgoing.writeHead(202).end()
    const line = await answered
    const status = isNewer ? statusOf(JSON.parse(line) as Message) : 200
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(line)
    if (isNewer) await streams.close()
  }
  const server = createServer((...given) => void answer(...given))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await older.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
