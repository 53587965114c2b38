import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import type { McpServer, McpServerState } from '../../shared/contract/mcp.ts'
import type { McpStore } from '../db/mcp-tables.ts'
import { writeAtomic } from '../lib/durable-files.ts'
import { fileErrorCode, isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import { redactText } from '../lib/redact.ts'
import type { CallOutcome } from './connect.ts'
import { acceptListed, acceptTool, isAccepted, judgedStates, stateOf } from './judge-servers.ts'
import type { JudgedTools, ServerTool } from './judge-tools.ts'
import { openConnections, type Connections, type ServerParts } from './open-connections.ts'
import { readResult, type ReadResult } from './read-result.ts'
import { identityOf } from './servers.ts'

/** A tool that may be called, of a server that is on. */
export type UsableTool = { server: McpServer; tool: ServerTool; pinned: boolean }

/** A call that was made, or why it was not; `reached` tells whether the server may have acted. */
export type McpCall = ({ ok: true } & ReadResult) | { ok: false; reason: string }

/** MCP servers with what the person agreed to. */
export type Mcp = {
  servers(): readonly McpServer[]
  get(name: string): McpServer | undefined
  state(server: McpServer): McpServerState
  /** Add or replace a server, which the person agreed to. */
  put(server: McpServer): Promise<void>
  remove(name: string): Promise<void>
  /** Store switches and pins, which are no part of what the person agrees to. */
  change(server: McpServer): void
  /** Agree to a server as it is now, or to the present text of one of its tools. */
  accept(server: McpServer, tool?: string): Promise<Refusal | undefined>
  /** Its tools, from its last listing, or from a start. */
  list(server: McpServer, folder?: string): Promise<JudgedTools | Refusal>
  /** The tools that may be called, of all servers that were listed once. */
  usable(): UsableTool[]
  call(
    usable: Pick<UsableTool, 'server' | 'tool'>,
    args: Record<string, unknown>,
    how: { signal: AbortSignal; folder?: string; onProgress?: (text: string) => void },
  ): Promise<McpCall>
  changes: Connections['changes']
  close(): Promise<void>
}

type Parts = ServerParts & {
  store: McpStore
  read(): readonly McpServer[]
  write(servers: readonly McpServer[]): void
  /** Tokens of a text, estimated. */
  count(text: string): number
}

/** Open the part that knows MCP servers. Nothing is started before it is used. */
export function openMcp(parts: Parts): Mcp {
  const { home, store, read, write, now } = parts
  const get = (name: string) => read().find(server => server.name === name)
  const connections = openConnections({ ...parts, entryOf: get })
  /** What each server listed last. */
  const listed = new Map<string, JudgedTools>()

  const stateNow = (server: McpServer) => {
    const tools = listed.get(server.name)
    const shown = tools ? judgedStates(server, tools, { store, count: parts.count }) : []
    return stateOf(server, connections.activity(server.name), shown, store)
  }

  function whyNot(server: McpServer): Refusal | undefined {
    if (!isAccepted(server, store))
      return { refused: `The server ${server.name} was added or changed, and you have not agreed to it. Look at it on Connections.` }
    return server.enabled ? undefined : { refused: `The server ${server.name} is switched off.` }
  }

  async function list(server: McpServer, folder?: string): Promise<JudgedTools | Refusal> {
    if (!isAccepted(server, store)) return whyNot(server)!
    const found = await connections.listTools(server.name, folder)
    if (isRefusal(found)) return found
    acceptListed(server.name, found, store)
    listed.set(server.name, found)
    return found
  }

  async function save(bytes: Uint8Array, extension: string): Promise<string | undefined> {
    const folder = join(home, 'cache', 'outputs')
    const path = join(folder, `${newId('out')}.${extension}`)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeAtomic(path, bytes, { mode: 0o600 })
      return path
    } catch (error) {
      // A full disk loses the file, not the answer.
      fileErrorCode(error)
      return undefined
    }
  }

  return {
    servers: read,
    get,
    state: stateNow,
    list,
    changes: connections.changes,
    async put(server) {
      const others = read().filter(({ name }) => name !== server.name)
      write([...others, server])
      store.acceptServer(server.name, identityOf(server), now())
      listed.delete(server.name)
      await connections.stop(server.name)
      connections.changes.publish()
    },
    change(server) {
      write(read().map(each => (each.name === server.name ? server : each)))
      connections.changes.publish()
    },
    async remove(name) {
      write(read().filter(server => server.name !== name))
      store.forget(name)
      listed.delete(name)
      await connections.stop(name)
      connections.changes.publish()
    },
    async accept(server, name) {
      if (name === undefined) {
        store.acceptServer(server.name, identityOf(server), now())
        await connections.stop(server.name)
        connections.changes.publish()
        return undefined
      }
      const tools = await list(server)
      if (isRefusal(tools)) return tools
      const tool = tools.tools.find(each => each.name === name)
      if (!tool) return { refused: `The server ${server.name} has no tool ${name} that can be used.` }
      acceptTool(server.name, tool, store)
      connections.changes.publish()
      return undefined
    },
    usable: () =>
      read().flatMap(server => {
        const tools = listed.get(server.name)
        if (!tools || whyNot(server)) return []
        const on = new Set(
          judgedStates(server, tools, { store, count: () => 0 }).flatMap(each => (each.state === 'on' ? [each.name] : [])),
        )
        return tools.tools
          .filter(tool => on.has(tool.name))
          .map(tool => ({ server, tool, pinned: server.pinned.includes(tool.name) }))
      }),
    async call({ server, tool }, args, { signal, folder, onProgress }) {
      const refused = whyNot(server)
      if (refused) return { ok: false, reason: refused.refused }
      const problem = tool.problemOf(args)
      if (problem !== undefined) return { ok: false, reason: `${problem} The server was not called.` }
      const outcome = await connections.call(server.name, tool.name, args, {
        signal,
        timeoutMs: server.call_timeout_s * 1_000,
        ...(folder !== undefined && { folder }),
        ...(onProgress && { onProgress }),
      })
      return 'answered' in outcome
        ? { ok: true, ...blackened(await readResult(outcome.answered, save)) }
        : { ok: false, reason: reasonFor(outcome) }
    },
    close: () => connections.close(),
  }
}

const blackened = (result: ReadResult): ReadResult => ({ ...result, text: redactText(result.text) })

/** What a call that failed left behind is not known, so nobody repeats it by itself. */
const reasonFor = ({ failed, mayHaveActed }: Extract<CallOutcome, { failed: string }>): string =>
  mayHaveActed ? `${failed} It may have acted; the call was not repeated.` : failed

