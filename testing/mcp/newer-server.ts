// A server of the newer era, made with the SDK's own server package: on standard streams as a program, or
// over HTTP.
import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** Create the server. `log` records how a waiting call ended. */
function newerServer(log: string): McpServer {
  const server = new McpServer({ name: 'newer', version: '1.0.0' })
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, given => text(given.text))
  server.registerTool('weather', { outputSchema: z.array(z.number()) }, () => ({
    ...text('[3, 4]'),
    structuredContent: [3, 4],
  }))
  server.registerTool('ask', {}, () =>
    inputRequired({
      inputRequests: {
        who: inputRequired.elicit({
          message: 'Who are you?',
          requestedSchema: { type: 'object', properties: {} },
        }),
      },
    }),
  )
  server.registerTool('roots', {}, ({ mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { where: inputRequired.listRoots() } })
      : text(JSON.stringify(mcpReq.inputResponses)),
  )
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    if (token !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1, message: 'waiting' },
      })
    await new Promise<void>(resolve => mcpReq.signal.addEventListener('abort', () => resolve()))
    appendFileSync(log, 'stopped\n')
    return text('stopped')
  })
  return server
}

/** Serve it over HTTP on loopback. */
export async function serveNewer(log: string) {
  let hasLate = false
  const handler = createMcpHandler(() => {
    const server = newerServer(log)
    if (hasLate) server.registerTool('late', {}, () => ({ content: [] }))
    return server
  })
  const server = createServer((incoming, outgoing) => void answer(handler.fetch, incoming, outgoing))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    /** Add a tool, and notify all subscribers. */
    addTool() {
      hasLate = true
      handler.notify.toolsChanged()
    },
    async close() {
      await handler.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answer(
  fetch: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const body = method === 'POST' ? await buffer(incoming) : null
  const request = new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    body,
    signal: gone.signal,
  })
  const response = await fetch(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  try {
    for await (const piece of response.body ?? []) outgoing.write(piece)
  } catch {
    // The client left.
  }
  outgoing.end()
}

if (import.meta.main) serveStdio(() => newerServer(process.argv[2]!))
