import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { INSTRUCTIONS, OFFERED_TOOLS } from './offered-tools.ts'

type Answer = { ok: boolean; text: string }
type Parts = {
  version: string
  /** Asks the host; failures are answers too. */
  ask(
    asked: { program: string; tool: string; given: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Answer>
  /** Default: standard input and output. */
  input?: Readable
  output?: Writable
}

/** Maximum size of a program's request; a longer one is not for these tools. */
const MOST_REQUEST_BYTES = 1 << 20

/** Serve the tools to our parent program, in either era of MCP, until it closes its end. */
export function serveTools({ version, ask, input = process.stdin, output = process.stdout }: Parts): {
  ended: Promise<void>
  close(): Promise<void>
} {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  output.once('error', () => resolve())
  const transport = new EndingTransport(input, output, { maxBufferSize: MOST_REQUEST_BYTES })
  transport.onEnd = resolve
  const { close } = serveStdio(
    () => {
      const server = new Server(
        { name: 'talaria', title: 'Talaria', version },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
      )
      server.setRequestHandler('tools/list', () => ({ tools: OFFERED_TOOLS.map(tool => ({ ...tool })) }))
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const { name: tool, arguments: given = {} } = params
        const program = nameOf(server.getClientVersion())
        const { ok, text } = await ask({ program, tool, given }, mcpReq.signal)
        return { content: [{ type: 'text', text }], ...(ok ? {} : { isError: true }) }
      })
      return server
    },
    { transport },
  )
  return { ended, close }
}

/** Reports its end: the program closed its side, or sent a message that is too long. */
class EndingTransport extends StdioServerTransport {
  onEnd: () => void = () => {}
  override async close(): Promise<void> {
    await super.close()
    this.onEnd()
  }
}

const nameOf = (client: { name: string; version: string } | undefined): string =>
  client ? `${client.name} ${client.version}`.slice(0, 80) : ''
