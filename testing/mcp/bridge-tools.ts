// What Talaria offers other programs, over HTTP on loopback: the suites of the protocol know no standard streams.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { serveTools } from '../../src/main/other-agents/serve-stdio.ts'

type Message = { id?: number | string; method?: string }

/** One connection on standard streams behind an address, which takes a message and answers the one that belongs to it. */
export async function bridgeTools() {
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveTools({ version: '1', ask: async () => ({ ok: true, text: 'Found.' }), input, output })
  const waiting = new Map<number | string, (line: string) => void>()
  let rest = ''
  output.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop()!
    for (const line of lines) waiting.get((JSON.parse(line) as Message).id ?? '')?.(line)
  })
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming)
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end()
    const { id } = JSON.parse(body) as Message
    const answered = id === undefined ? undefined : new Promise<string>(resolve => waiting.set(id, resolve))
    input.write(`${JSON.stringify(JSON.parse(body))}\n`)
    if (!answered) return void outgoing.writeHead(202).end()
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(await answered)
  }
  const server = createServer((...given) => void answer(...given))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await served.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
