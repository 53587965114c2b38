import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type PriorDiscovery,
  type RequestOptions,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { causesOf, isRefusal, parseJson, type Refusal } from '../../lib/expected-errors.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import { ProxyError } from '../../lib/network/proxy-address.ts'
import { runInSlices, withinTime } from '../../lib/timing.ts'
import { NOT_JSON } from '../transport/broken-line.ts'
import { prepareChecks } from '../../json-schema/check-schema.ts'
import { followLinks } from '../results/read-linked.ts'
import { wasNotReached } from '../transport/http-transport.ts'
import { pageOf } from '../mending/plain-tool.ts'
import type { ServerTransport } from '../transport/stdio-transport.ts'
import {
  hasHeaders,
  judgeSteps,
  MOST_TOOLS,
  withoutHidden,
  type JudgedTools,
  type ServerTool,
} from '../judge-tools.ts'

/** The outcome of a call: the server's unread answer, or why there is none. */
export type CallOutcome =
  | { answered: unknown }
  /** `mayHaveActed`: the request reached the server, so it is not repeated. */
  | { failed: string; mayHaveActed: boolean; sessionLost?: boolean }

/** A connection to one server. */
export type Connection = {
  /** The name that the server gives itself, cleaned. */
  title: string
  /** The protocol era that the server speaks, which saves asking at the next start. */
  prior: PriorDiscovery
  /** List the server's tools, each judged separately. */
  listTools(): Promise<JudgedTools | Refusal>
  call(name: string, args: Record<string, unknown>, how: CallOptions): Promise<CallOutcome>
  /** Call the listener if the server says that its tools changed. */
  onToolsChanged(listener: () => void): void
  close(): Promise<void>
}

export type CallOptions = {
  signal: AbortSignal
  /** Time limit of a call without progress, in ms. */
  timeoutMs: number
  onProgress?: (text: string) => void
}

type Route = {
  /** Open a transport, or return why there is none. A second try of the negotiation needs a new one. */
  open(): ServerTransport | Promise<ServerTransport | Refusal>
  /** Opens the older HTTP transport, for servers that do not know the present one. */
  openOlder?(): ServerTransport
  /** Time limit in ms for getting ready, and for listing tools. */
  timeoutMs: number
  prior?: PriorDiscovery | undefined
  /** How long a program may take to say whether it speaks the newer era, in ms; default 5 s. */
  probeMs?: number | undefined
  /** Folders that the server may ask for, as `file:` addresses. */
  roots: readonly string[]
  version: string
  signal?: AbortSignal
}

/**
 * How long to wait for a program to say that it speaks the newer era before trying the older one, in ms.
 * Servers at an address answer every request, but may take long to wake up.
 */
const PROBE_MS = 5_000
const MOST_PAGES = 64
/** A call ends after this many time limits, however much progress it reports. */
const MOST_EXTENSIONS = 20

/** Connect to a server, in the newer era of the protocol if it speaks that. */
export async function connectServer(route: Route): Promise<Connection | Refusal> {
  const end = performance.now() + route.timeoutMs
  const opened = await route.open()
  if (isRefusal(opened)) return opened
  let first = await tryConnect(route, opened, route.prior)
  // A file to hide from the program may have vanished before the start. Nothing has run, so try once more.
  if (isRefusal(first) && opened.setupFailed) {
    const again = await route.open()
    if (isRefusal(again)) return again
    first = await tryConnect(route, again, route.prior)
  }
  if (!isRefusal(first)) return first
  const timeoutMs = end - performance.now()
  if (first.isFinal || (route.prior?.kind === 'legacy' && !route.openOlder) || timeoutMs <= 0)
    return { refused: first.refused }
  // Some servers exit at an unknown question, and some answer only the older transport.
  const transport = await (route.openOlder?.() ?? route.open())
  if (isRefusal(transport)) return transport
  const second = await tryConnect({ ...route, timeoutMs }, transport, { kind: 'legacy' })
  return isRefusal(second) ? { refused: first.refused } : second
}

async function tryConnect(
  { openOlder, timeoutMs, probeMs = PROBE_MS, roots, version, signal }: Route,
  transport: Transport,
  prior: PriorDiscovery | undefined,
): Promise<Connection | (Refusal & { isFinal: boolean })> {
  const client = new Client(
    { name: 'talaria', version },
    {
      capabilities: roots.length > 0 ? { roots: { listChanged: false } } : {},
      versionNegotiation: {
        mode: 'auto',
        probe: { timeoutMs: openOlder ? timeoutMs / 2 : Math.min(probeMs, timeoutMs) },
      },
      // In the newer era, an answer to a call can ask for the roots.
      inputRequired: { autoFulfill: roots.length > 0 },
    },
  )
  if (roots.length > 0) client.setRequestHandler('roots/list', () => ({ roots: roots.map(uri => ({ uri })) }))
  try {
    const connecting = client.connect(transport, {
      timeout: timeoutMs,
      ...(signal && { signal }),
      ...(prior && { prior }),
    })
    // The SDK limits requests, but not notifications: a server may take one and never answer.
    if (!(await withinTime(timeoutMs, connecting))) {
      connecting.catch(() => undefined)
      throw new SdkError(SdkErrorCode.RequestTimeout, 'connect')
    }
  } catch (error) {
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    return { refused: reasonOf(error), isFinal: offlineIn(error) !== undefined || signal?.aborted === true }
  }
  return connectionOf(client, timeoutMs)
}

function connectionOf(client: Client, timeoutMs: number): Connection {
  const discover = client.getDiscoverResult()
  let tools: readonly ServerTool[] = []
  const { name = '', title = name } = client.getServerVersion() ?? {}
  return {
    title: withoutHidden(title).slice(0, 80),
    prior:
      client.getProtocolEra() === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' },
    async listTools() {
      const found = await listTools(client, timeoutMs)
      if (isRefusal(found)) return found
      tools = found.tools
      await prepareChecks(tools.map(({ schema }) => schema))
      return found
    },
    call(name, args, how) {
      return callTool(client, tools.find(tool => tool.name === name) ?? { sent: name }, args, how)
    },
    onToolsChanged(listener) {
      client.setNotificationHandler('notifications/tools/list_changed', listener)
      // In the newer era, changes are only sent on a stream that the client requested.
      if (client.getProtocolEra() === 'modern' && client.getServerCapabilities()?.tools?.listChanged)
        client.listen({ toolsListChanged: true }, { timeout: timeoutMs }).catch(() => undefined)
    },
    close: () => client.close().catch(() => undefined),
  }
}

/** As permissive as possible, because the SDK's own list fails completely if a single tool is wrong. */
const toolPage = z.unknown().transform(pageOf)

async function listTools(client: Client, timeoutMs: number): Promise<JudgedTools | Refusal> {
  const listed: unknown[] = []
  let cursor: string | undefined
  const asked = new Set<string>()
  const pages = new Set<string>()
  const end = performance.now() + timeoutMs
  const judge = () => runInSlices(judgeSteps(listed))
  try {
    for (let page = 0; page < MOST_PAGES && listed.length <= MOST_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const timeout = Math.max(1, end - performance.now())
      const found = await client.request({ method: 'tools/list', params }, toolPage, { timeout })
      const tools = JSON.stringify(found.tools)
      // Some servers send the same page again, whatever was requested.
      if (found.tools.length > 0 && pages.has(tools)) return await judge()
      pages.add(tools)
      listed.push(...found.tools)
      cursor = found.nextCursor
      // An empty or repeated cursor leads to a known page.
      if (cursor === '' || asked.has(cursor)) return await judge()
      asked.add(cursor)
    }
  } catch (error) {
    return { refused: `Its tools could not be listed: ${reasonOf(error)}` }
  }
  const judged = await judge()
  return listed.length > MOST_TOOLS
    ? judged
    : {
        ...judged,
        refused: [
          ...judged.refused,
          { name: 'more pages', problem: `Its list has more than ${MOST_PAGES} pages.` },
        ],
      }
}

async function callTool(
  client: Client,
  { sent: name, schema }: Pick<ServerTool, 'sent'> & Partial<ServerTool>,
  args: Record<string, unknown>,
  { signal, timeoutMs, onProgress }: CallOptions,
): Promise<CallOutcome> {
  if (signal.aborted) return { failed: 'It was stopped before the call.', mayHaveActed: false }
  try {
    const params = { name, arguments: args }
    const options: RequestOptions = {
      signal,
      timeout: timeoutMs,
      maxTotalTimeout: timeoutMs * MOST_EXTENSIONS,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }) => onProgress?.(progressText(progress, total, message)),
    }
    // The SDK rejects irregular results after the server has acted. So let it read them only if arguments
    // must be repeated as headers.
    const answered = hasHeaders(schema)
      ? await client.callTool(params, {
          ...options,
          toolDefinition: { name, inputSchema: { ...schema, type: 'object' } },
        })
      : await client.request({ method: 'tools/call', params }, z.unknown(), options)
    // The server declares no resources.
    if (!client.getServerCapabilities()?.resources) return { answered }
    const reading = { signal, timeout: timeoutMs }
    const read = (uri: string) =>
      client
        .request({ method: 'resources/read', params: { uri } }, z.unknown(), reading)
        .catch((error: unknown) => Promise.reject(new Error(reasonOf(error))))
    return { answered: await followLinks(answered, read) }
  } catch (error) {
    if (signal.aborted) return { failed: 'The call was stopped.', mayHaveActed: true }
    return {
      failed: reasonOf(error),
      mayHaveActed: mayHaveActed(error),
      ...(isSessionLost(error, client.transport?.sessionId) && { sessionLost: true }),
    }
  }
}

function progressText(progress: number, total: number | undefined, message: string | undefined): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`
  const said = withoutHidden(message ?? '').replaceAll(/\s+/g, ' ')
  return said === '' ? share : `${share}: ${said.slice(0, 200)}`
}

/** Whether a server may have acted. If its answer is an error, it could not read the call. */
function mayHaveActed(error: unknown): boolean {
  if (offlineIn(error) || wasNotReached(error)) return false
  // A request refused with a status of 400 to 499 had no effect.
  if (SdkHttpError.isInstance(error)) return error.data.status >= 500
  if (SdkError.isInstance(error))
    return error.code !== SdkErrorCode.NotConnected && !WANTS_INPUT.has(error.code)
  return !ProtocolError.isInstance(error) || error.code === NOT_JSON
}

/**
 * Whether the server forgot the session, which it reports before doing anything. Some use status 400, some an
 * error in a successful HTTP answer.
 */
function isSessionLost(error: unknown, sessionId: string | undefined): boolean {
  if (ProtocolError.isInstance(error))
    return sessionId !== undefined && error.code === -32_001 && /\bsession\b/i.test(error.message)
  return (
    SdkHttpError.isInstance(error) &&
    (error.data.status === 404 || (error.data.status === 400 && /session/i.test(error.message)))
  )
}

/** SDK errors for an answer that asks for input which the client cannot give. */
const WANTS_INPUT = new Set([SdkErrorCode.UnsupportedResultType, SdkErrorCode.CapabilityNotSupported])

const offlineIn = (error: unknown) => causesOf(error).find(each => each instanceof OfflineError)

/** The error as text for the user and the model. */
function reasonOf(error: unknown): string {
  const offline = offlineIn(error)
  if (offline) return offline.message
  const proxy = causesOf(error).find(each => each instanceof ProxyError)
  if (proxy) return `${proxy.message} ${proxy.fix}`
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.RequestTimeout) return 'It did not answer in time.'
    if (error.code === SdkErrorCode.ConnectionClosed) return 'The connection ended.'
    if (error.code === SdkErrorCode.NotConnected) return 'It is not connected.'
    if (WANTS_INPUT.has(error.code))
      return 'It asks for more input before it acts, which Talaria cannot give.'
  }
  // The last cause describes what went wrong with a connection.
  const said = causesOf(error).at(-1)?.message ?? String(error)
  const plain = (text: string) => withoutHidden(text).replaceAll(/\s+/g, ' ').slice(0, 500)
  if (!SdkHttpError.isInstance(error)) return plain(said)
  const body = said
    .slice(Math.max(0, said.indexOf('Error POSTing to endpoint: ')))
    .replace(/^Error POSTing to endpoint: /, '')
  const sentence = z.object({ error: z.object({ message: z.string() }) }).safeParse(parseJson(body))
  const words = plain(sentence.success ? sentence.data.error.message : body).trim()
  return `It answered with the status ${error.data.status}${words === '' ? '.' : `: ${words}`}`
}
