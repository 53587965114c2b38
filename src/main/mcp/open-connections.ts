import { randomUUID } from 'node:crypto'
import type { PriorDiscovery } from '@modelcontextprotocol/client'
import type { McpServer } from '../../shared/contract/mcp.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { createTopic, type Topic } from '../lib/publish.ts'
import { withinTime, type Clock } from '../lib/timing.ts'
import { createWatchdog } from '../processes/watchdog.ts'
import type { CallOptions, CallOutcome, Connection } from './connect.ts'
import type { JudgedTools } from './judge-tools.ts'
import { isLocal } from './servers.ts'
import { fillIn, prepareStart, type StartParts } from './start-program.ts'
import { stdioTransport, type ServerTransport, type StdioTransport } from './stdio-transport.ts'

/** What a server is doing, for a person. */
export type ServerActivity = {
  /** `off`: not started, or stopped because nobody used it. */
  state: 'off' | 'starting' | 'running' | 'failed'
  /** Why it failed; empty otherwise. */
  problem: string
  /** The last lines that it printed. */
  lines: string[]
  /** When it was started, as a time in ms. */
  since: number | null
}

/** The servers that run. Each is started at its first use. */
export type Connections = {
  listTools(name: string, folder?: string): Promise<JudgedTools | Refusal>
  call(
    name: string,
    tool: string,
    args: Record<string, unknown>,
    how: CallOptions & {
      folder?: string
      /** Why the call is not made after all, now that the tools of the running server are known. */
      mayCall?(tools: JudgedTools): string | undefined
    },
  ): Promise<CallOutcome>
  activity(name: string): ServerActivity
  /** End its processes, for instance after its entry changed. */
  stop(name: string): Promise<void>
  changes: Topic<void>
  close(): Promise<void>
}

/** What running servers depends on. */
export type ServerParts = StartParts & {
  fetchFor(name: string): typeof fetch
  version: string
  now: Clock
  /** How long a server may be idle, in ms. */
  idleMs?: number
}

type Parts = ServerParts & { entryOf(name: string): McpServer | undefined }

type Running = {
  connection: Connection
  transport: ServerTransport
  tools: JudgedTools
  since: number
  calls: number
  idle: NodeJS.Timeout | undefined
}

type Failure = { problem: string; times: number; at: number; lines: string[] }

const IDLE_MS = 5 * 60_000
/** The pause after a failed start doubles from the first to the longest, in ms. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const CLOSE_MS = 5_000

/** Open the part that runs servers. Call it on the main thread: the end of the processes follows it. */
export function openConnections(parts: Parts): Connections {
  const host = randomUUID()
  const watchdog = createWatchdog(host)
  const changes = createTopic<void>()
  const starting = new Map<string, Promise<Running | Refusal>>()
  const running = new Map<string, Running>()
  const failures = new Map<string, Failure>()
  const eras = new Map<string, PriorDiscovery>()
  const transports = new Set<StdioTransport>()
  let isClosed = false
  let count = 0

  /** A server of one chat's folder never serves another's. */
  const keyOf = (name: string, folder: string | undefined) => `${name}\n${folder ?? ''}`
  const nameOf = (key: string) => key.slice(0, key.indexOf('\n'))

  function use(name: string, folder: string | undefined): Promise<Running | Refusal> {
    const key = keyOf(name, folder)
    const present = running.get(key)
    if (present) return Promise.resolve(present)
    const begun = starting.get(key)
    if (begun) return begun
    const start = startNow(key, name, folder).finally(() => {
      starting.delete(key)
      changes.publish()
    })
    starting.set(key, start)
    changes.publish()
    return start
  }

  async function startNow(key: string, name: string, folder: string | undefined): Promise<Running | Refusal> {
    if (isClosed) return { refused: 'Talaria is closing.' }
    const entry = parts.entryOf(name)
    if (!entry) return { refused: `There is no server ${name}.` }
    const failed = failures.get(key)
    const waits = failed ? failed.at + pauseAfter(failed.times) - parts.now() : 0
    if (failed && waits > 0)
      return { refused: `${failed.problem} It is tried again in ${Math.ceil(waits / 1_000)} s.` }
    // The client of the protocol takes a fifth of a host's start to load, and most hosts never use a server.
    const { connectServer } = await import('./connect.ts')
    const made: ServerTransport[] = []
    const route = await routeTo(name, entry, transport => made.push(transport))
    if (isRefusal(route)) return fail(key, route.refused, [])
    const connection = await connectServer({
      ...route,
      timeoutMs: entry.start_timeout_s * 1_000,
      prior: eras.get(key),
      roots: folder === undefined ? [] : [`file://${encodeURI(folder)}`],
      version: parts.version,
    })
    const transport = made.at(-1)!
    if (isRefusal(connection)) {
      await transport.close()
      // Of two ways to speak HTTP the first one tells more, of two processes the second.
      const told = isLocal(entry) ? transport : made[0]!
      return fail(key, whyNot(connection.refused, told), transport.lastLines())
    }
    const tools = await connection.listTools()
    if (isRefusal(tools)) {
      const why = whyNot(tools.refused, transport)
      await connection.close()
      return fail(key, why, transport.lastLines())
    }
    return register(key, { connection, transport, tools, since: parts.now(), calls: 0, idle: undefined })
  }

  function register(key: string, made: Running): Running | Refusal {
    eras.set(key, made.connection.prior)
    failures.delete(key)
    if (isClosed) {
      void made.connection.close()
      return { refused: 'Talaria is closing.' }
    }
    running.set(key, made)
    void made.transport.ended.then(() => {
      if (running.get(key) !== made) return
      running.delete(key)
      clearTimeout(made.idle)
      fail(key, whyNot('It ended by itself.', made.transport), made.transport.lastLines())
    })
    made.connection.onToolsChanged(() => void listAgain(key, made))
    rest(key, made)
    return made
  }

  async function listAgain(key: string, made: Running): Promise<void> {
    const tools = await made.connection.listTools()
    if (isRefusal(tools) || running.get(key) !== made) return
    made.tools = tools
    changes.publish()
  }

  function fail(key: string, problem: string, lines: string[]): Refusal {
    const times = (failures.get(key)?.times ?? 0) + 1
    failures.set(key, { problem, times, at: parts.now(), lines })
    changes.publish()
    return { refused: problem }
  }

  async function routeTo(name: string, entry: McpServer, onTransport: (made: ServerTransport) => void) {
    if (!isLocal(entry)) {
      const headers = fillIn(entry.headers, parts.keyOf)
      if (isRefusal(headers)) return headers
      const { httpTransports } = await import('./http-transport.ts')
      return httpTransports({ url: new URL(entry.url), headers, fetch: parts.fetchFor(name) }, onTransport)
    }
    const first = await prepareStart(name, entry, `${host}.${++count}`, parts)
    if (isRefusal(first)) return first
    return {
      open() {
        const made = stdioTransport(first)
        transports.add(made)
        const { start } = made
        // The watchdog first, so that it knows of each process from its first moment.
        made.start = async () => {
          watchdog.setGroups(leaders())
          await start()
          watchdog.setGroups(leaders())
        }
        void made.ended.then(() => {
          transports.delete(made)
          watchdog.setGroups(leaders())
        })
        onTransport(made)
        return made
      },
    }
  }

  const leaders = () => [...transports].flatMap(transport => transport.leader ?? [])

  /** A server that nobody uses is stopped after a while. */
  function rest(key: string, made: Running): void {
    clearTimeout(made.idle)
    if (made.calls > 0) return
    made.idle = setTimeout(() => void end(key, made), parts.idleMs ?? IDLE_MS)
    made.idle.unref()
  }

  async function end(key: string, made: Running): Promise<void> {
    if (running.get(key) === made) running.delete(key)
    clearTimeout(made.idle)
    await made.connection.close()
    await made.transport.close()
    changes.publish()
  }

  return {
    changes,
    async listTools(name, folder) {
      const found = await use(name, folder)
      return isRefusal(found) ? found : found.tools
    },
    async call(name, tool, args, { folder, mayCall, ...how }) {
      const found = await use(name, folder)
      if (isRefusal(found)) return { failed: found.refused, mayHaveActed: false }
      const refused = mayCall?.(found.tools)
      if (refused !== undefined) return { failed: refused, mayHaveActed: false }
      found.calls++
      clearTimeout(found.idle)
      try {
        const outcome = await found.connection.call(tool, args, how)
        const { ending } = found.transport
        // A bound that was reached, or a program that ended, is the better reason.
        return 'failed' in outcome && ending !== undefined && !how.signal.aborted
          ? { ...outcome, failed: whyNot(outcome.failed, found.transport) }
          : outcome
      } finally {
        found.calls--
        rest(keyOf(name, folder), found)
      }
    },
    activity(name) {
      const mine = [...running].find(([key]) => nameOf(key) === name)?.[1]
      const failure = [...failures].find(([key]) => nameOf(key) === name)?.[1]
      const isStarting = [...starting.keys()].some(key => nameOf(key) === name)
      return {
        state: mine ? 'running' : isStarting ? 'starting' : failure ? 'failed' : 'off',
        problem: mine ? '' : (failure?.problem ?? ''),
        lines: mine?.transport.lastLines() ?? failure?.lines ?? [],
        since: mine?.since ?? null,
      }
    },
    async stop(name) {
      for (const map of [failures, eras])
        for (const key of map.keys()) if (nameOf(key) === name) map.delete(key)
      await Promise.all(
        [...running].filter(([key]) => nameOf(key) === name).map(([key, made]) => end(key, made)),
      )
    },
    async close() {
      isClosed = true
      const all = [...running].map(([key, made]) => end(key, made))
      await withinTime(
        CLOSE_MS,
        Promise.all([...all, ...[...transports].map(transport => transport.close())]),
      )
      watchdog.close()
    },
  }
}

const pauseAfter = (times: number) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1))

/** The reason, with what the program itself said last, which is mostly the better one. */
function whyNot(reason: string, transport: ServerTransport): string {
  const said = transport.lastLines().at(-1)
  const { ending } = transport
  const what = 'leader' in transport ? 'The program' : 'The connection'
  const how = ending === undefined || ending.startsWith('Talaria') ? reason : `${what} ended: ${ending}.`
  return said === undefined ? how : `${how} It printed: ${said}`
}
