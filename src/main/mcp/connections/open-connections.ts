import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { PriorDiscovery } from '@modelcontextprotocol/client'
import type { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { createTopic } from '../../lib/topic.ts'
import { tidyUp, tidyUpLater } from '../../lib/processes/tidy-up.ts'
import { untilAborted, withinTime } from '../../lib/timing.ts'
import { createWatchdog } from '../../commands/watchdog.ts'
import type { Connection } from './connect-server.ts'
import type { Connections, ServerParts } from './connection-types.ts'
import type { JudgedTools } from '../judge-tools.ts'
import { downloadsItself, forAddress, isLocal, type KnownServer } from '../servers/known-servers.ts'
import { explainUnwritten } from '../results/explain-unwritten.ts'
import { tellPlaces } from '../servers/tell-places.ts'
import { fillIn, prepareStart, type StartParts } from './start-program.ts'
import { watchServers } from './watch-servers.ts'
import {
  stdioTransport,
  whyNoAnswer,
  whyNot,
  type ServerTransport,
  type StdioTransport,
} from '../transport/stdio-transport.ts'

type Parts = ServerParts & { entryOf(name: string): KnownServer | undefined }

type Running = {
  connection: Connection
  transport: ServerTransport
  tools: JudgedTools
  /** The entry from which it was started. */
  entry: McpServer
  since: number
  calls: number
  idle: NodeJS.Timeout | undefined
}

type Starting = { entry: McpServer; outcome: Promise<Running | Refusal>; stop: AbortController }
type Failure = { problem: string; times: number; at: number; lines: string[] }

const IDLE_MS = 5 * 60_000
/** Pause before a server starts again after repeated failures, in ms. It doubles up to the maximum. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const CLOSE_MS = 5_000
/** How long a server counts as older era, in ms; a new version of its program may know the newer one. */
const VERDICT_MS = 30 * 24 * 3_600_000

/** Create the part that runs servers. Call this on the main thread, because their processes end with it. */
export function openConnections(parts: Parts): Connections {
  const host = randomUUID()
  const watchdog = createWatchdog(host)
  const changes = createTopic<void>()
  const starting = new Map<string, Starting>()
  const running = new Map<string, Running>()
  const failures = new Map<string, Failure>()
  const eras = new Map<string, PriorDiscovery>()
  const transports = new Set<StdioTransport>()
  const watched = watchServers(parts.commands, () => changes.publish())
  let isClosed = false
  let count = 0

  /** A program gets only one chat folder, and never serves another one. Servers at addresses get none. */
  const keyOf = (name: string, root: string | undefined) => `${name}\n${root ?? ''}`
  const rootFor = (name: string, folder: string | undefined) => {
    const entry = parts.entryOf(name)
    return entry && isLocal(entry) ? (folder ?? entry.project) : undefined
  }
  const nameOf = (key: string) => key.slice(0, key.indexOf('\n'))

  async function use(name: string, folder: string | undefined): Promise<Running | Refusal> {
    const root = rootFor(name, folder)
    const key = keyOf(name, root)
    const entry = parts.entryOf(name)
    if (!entry) return { refused: `There is no server ${name}.` }
    await endUnlike(key, entry)
    if (isClosed) return { refused: 'Talaria is closing.' }
    const present = running.get(key)
    if (present) return present
    const begun = starting.get(key)
    if (begun) return begun.outcome
    const stop = new AbortController()
    const outcome = startNow(key, entry, root, stop.signal).finally(() => {
      starting.delete(key)
      changes.publish()
    })
    starting.set(key, { entry, outcome, stop })
    changes.publish()
    return outcome
  }

  /** End a server that was started from another entry, and wait for one that is ending. */
  async function endUnlike(key: string, entry: McpServer | undefined): Promise<void> {
    const begun = starting.get(key)
    if (begun && !isSameStart(begun.entry, entry)) {
      begun.stop.abort()
      await begun.outcome
    }
    const present = running.get(key)
    if (present && !isSameStart(present.entry, entry)) await end(key, present)
    if (present?.transport.ending !== undefined) await present.transport.ended
  }

  async function startNow(
    key: string,
    entry: KnownServer,
    root: string | undefined,
    signal: AbortSignal,
  ): Promise<Running | Refusal> {
    const failed = failures.get(key)
    const waits = failed ? failed.at + pauseAfter(failed.times) - parts.now() : 0
    if (failed && waits > 0)
      return { refused: `${failed.problem} It is tried again in ${Math.ceil(waits / 1_000)} s.` }
    // Loading the protocol client takes a fifth of a host's startup, and most hosts never use a server.
    const { connectServer } = await import('./connect-server.ts')
    const made: ServerTransport[] = []
    const route = await routeTo(entry, root, transport => made.push(transport))
    if (signal.aborted) return STOPPED
    if (isRefusal(route)) return fail(key, route.refused, [])
    const stop = () => void made.at(-1)?.close()
    signal.addEventListener('abort', stop)
    const connection = await connectServer({
      ...route,
      timeoutMs: entry.start_timeout_s * 1_000,
      prior: eras.get(key) ?? (isKnownOlder(entry) ? { kind: 'legacy' } : undefined),
      probeMs: parts.probeMs,
      roots: root === undefined ? [] : [pathToFileURL(root).href],
      version: parts.version,
      signal,
    })
    const tools = isRefusal(connection) ? connection : await connection.listTools()
    signal.removeEventListener('abort', stop)
    const transport = made.at(-1)!
    if (isRefusal(connection) || isRefusal(tools) || signal.aborted) {
      if (!isRefusal(connection)) await connection.close()
      await transport.close()
      if (signal.aborted || !isRefusal(tools)) return STOPPED
      parts.eras?.setOlder(entry.name, undefined)
      // Of two HTTP transports the first one tells more, of two processes the second.
      const told = isLocal(entry) || !isRefusal(connection) ? transport : made[0]!
      const why = whyNot(tools.refused, told)
      return fail(key, why + hintFor(entry, why, told, parts), transport.lastLines())
    }
    const since = parts.now()
    return register(key, { connection, transport, tools, entry, since, calls: 0, idle: undefined })
  }

  function register(key: string, made: Running): Running {
    const { prior } = made.connection
    eras.set(key, prior)
    // Servers at addresses answer this question immediately, so nothing needs to be remembered.
    if (isLocal(made.entry) && !(prior.kind === 'legacy' && isKnownOlder(made.entry)))
      parts.eras?.setOlder(made.entry.name, prior.kind === 'legacy' ? parts.now() : undefined)
    running.set(key, made)
    void made.transport.ended.then(() => tidyUp('tell that a server ended by itself', () => lose(key, made)))
    made.connection.onToolsChanged(() => void tidyUpLater('list tools again', () => listAgain(key, made)))
    rest(key, made)
    return made
  }

  function lose(key: string, made: Running): void {
    if (running.get(key) !== made) return
    running.delete(key)
    clearTimeout(made.idle)
    // After a long successful run, old failures no longer count.
    if (parts.now() - made.since > LONGEST_PAUSE_MS) failures.delete(key)
    fail(key, whyNot('It ended by itself.', made.transport), made.transport.lastLines())
  }

  /** Whether a program is known not to answer whether it speaks the newer era, which costs five seconds. */
  function isKnownOlder(entry: McpServer): boolean {
    const since = parts.eras?.olderSince(entry.name)
    return since !== undefined && Math.abs(parts.now() - since) < VERDICT_MS
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

  async function routeTo(
    entry: McpServer,
    root: string | undefined,
    onTransport: (made: ServerTransport) => void,
  ) {
    if (!isLocal(entry)) {
      const headers = fillIn(entry.headers, parts.keyOf)
      if (isRefusal(headers)) return headers
      const filled = fillIn([entry.url], key => {
        const value = parts.keyOf(key)
        // A key may be a whole address, or the start of one.
        return value === undefined || /^https?:/i.test(value) ? value : forAddress(value)
      })
      if (isRefusal(filled)) return filled
      const url = URL.parse(filled['0']!)
      if (!url || !/^https?:$/.test(url.protocol))
        return {
          refused: 'With its variables filled in, its address does not begin with http:// or https://.',
        }
      const { httpTransports, withoutAccount } = await import('../transport/http-transport.ts')
      const address = withoutAccount(url, headers)
      return httpTransports({ ...address, fetch: parts.fetchFor(entry.name) }, onTransport)
    }
    const how = { mark: `${host}.${++count}`, root }
    const first = await prepareStart(entry, how, parts)
    if (isRefusal(first)) return first
    let opened = 0
    return {
      async open() {
        // Hidden files and settings may have changed since the first start.
        const prepared = opened++ === 0 ? first : await prepareStart(entry, how, parts)
        if (isRefusal(prepared)) return prepared
        const made = stdioTransport(prepared)
        watched.watch(made, prepared, keyOf(entry.name, root), entry.name)
        transports.add(made)
        const { start } = made
        // Tell the watchdog first, so that it knows each process from the start.
        made.start = async () => {
          watchdog.setGroups(leaders())
          await start()
          watchdog.setGroups(leaders())
        }
        void made.ended.then(() => {
          transports.delete(made)
          tidyUp('tell the watchdog', () => watchdog.setGroups(leaders()))
        })
        onTransport(made)
        return made
      },
    }
  }

  const leaders = () => [...transports].flatMap(transport => transport.leader ?? [])

  const callOnce: Connections['call'] = async (name, tool, args, { folder, mayCall, ...how }) => {
    const found = await untilAborted(use(name, folder), how.signal)
    if (!found) return { failed: 'It was stopped before the call.', mayHaveActed: false }
    if (isRefusal(found)) return { failed: found.refused, mayHaveActed: false }
    const refused = mayCall?.(found.tools)
    if (refused !== undefined) return { failed: refused, mayHaveActed: false }
    const key = keyOf(name, rootFor(name, folder))
    found.calls++
    clearTimeout(found.idle)
    try {
      const outcome = await found.connection.call(tool, args, how)
      if ('answered' in outcome) failures.delete(key)
      else if (outcome.sessionLost) await end(key, found)
      // If a limit was reached or the program ended, that is the better explanation.
      else if (!how.signal.aborted)
        return { ...outcome, failed: whyNoAnswer(outcome.failed, found.transport) }
      return outcome
    } finally {
      found.calls--
      if (running.get(key) === found) rest(key, found)
    }
  }

  /** Stop a server after it has been idle for a while. */
  function rest(key: string, made: Running): void {
    clearTimeout(made.idle)
    if (made.calls > 0) return
    const stop = () => void tidyUpLater('end a server that is not used', () => end(key, made))
    made.idle = setTimeout(stop, parts.idleMs ?? IDLE_MS)
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
    async call(...given) {
      const outcome = await callOnce(...given)
      const isLost = 'failed' in outcome && outcome.sessionLost === true
      // A server that forgot its session did nothing, so the call can be repeated.
      return isLost && !given[3].signal.aborted ? callOnce(...given) : outcome
    },
    takeObeyed(name, folder) {
      return watched.take(keyOf(name, rootFor(name, folder)))
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
      const isMine = (key: string) => name === undefined || nameOf(key) === name
      for (const map of [failures, eras]) for (const key of [...map.keys()].filter(isMine)) map.delete(key)
      if (name !== undefined) parts.eras?.setOlder(name, undefined)
      await endAll(isMine)
    },
    async reconcile() {
      const keys = [...running.keys(), ...starting.keys()]
      await Promise.all(
        keys.map(key => {
          const entry = parts.entryOf(nameOf(key))
          return endUnlike(key, entry?.enabled ? entry : undefined)
        }),
      )
    },
    async close() {
      isClosed = true
      await withinTime(
        CLOSE_MS,
        Promise.all([endAll(() => true), ...[...transports].map(transport => transport.close())]),
      )
      watchdog.close()
    },
  }

  async function endAll(isMeant: (key: string) => boolean): Promise<void> {
    const begun = [...starting].flatMap(([key, each]) => (isMeant(key) ? [each] : []))
    for (const { stop } of begun) stop.abort()
    await Promise.all([
      ...begun.map(({ outcome }) => outcome),
      ...[...running].flatMap(([key, made]) => (isMeant(key) ? [end(key, made)] : [])),
    ])
  }
}

const STOPPED: Refusal = { refused: 'It was stopped before it had started.' }

/** Whether two entries start the same program, or use the same address. */
function isSameStart(a: McpServer, b: McpServer | undefined): boolean {
  const startOf = (entry: McpServer | undefined) =>
    entry &&
    (isLocal(entry)
      ? [entry.command, entry.args, entry.env, entry.cwd, entry.network]
      : [entry.url, entry.headers])
  return isDeepStrictEqual(startOf(a), startOf(b))
}

/** A hint if the program may lack the network or its own files, which its output does not explain. */
function hintFor(
  entry: KnownServer,
  why: string,
  { isConfined = false }: ServerTransport,
  parts: StartParts,
): string {
  if (!isLocal(entry)) return ''
  if (downloadsItself(entry) && !entry.network)
    return ` ${entry.command} downloads its program when it starts, and this server may not use the network: switch it on for the server.`
  const place = [entry.command, ...entry.args].find(word => IN_TEMPORARY.test(word))
  if (isConfined && place !== undefined && MISSES_FILES.test(why))
    return ` ${place} is in a folder for temporary files, of which a confined program sees only what its command names: put the server elsewhere, such as into your home folder.`
  const unwritten = explainUnwritten(why, { isConfined, writes: tellPlaces(entry, parts).writes })
  return unwritten === undefined ? '' : ` ${unwritten}`
}

const IN_TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp)\//
/** Errors of programs that cannot find their own files. */
const MISSES_FILES =
  /ModuleNotFoundError|ImportError|No module named|cannot find (?:module|package)|MODULE_NOT_FOUND|No such file|ENOENT|not found/i

const pauseAfter = (times: number) =>
  Math.min(LONGEST_PAUSE_MS, times < 2 ? 0 : FIRST_PAUSE_MS * 2 ** (times - 2))
