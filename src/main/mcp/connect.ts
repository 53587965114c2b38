import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type PriorDiscovery,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { OfflineError } from '../lib/offline.ts'
import { judgeTools, MOST_TOOLS, withoutHidden, type JudgedTools } from './judge-tools.ts'

/** How a call ended: what the server answered, unread, or why there is no answer. */
export type CallOutcome =
  | { answered: unknown }
  /** `mayHaveActed`: the request reached the server, and it is not repeated. */
  | { failed: string; mayHaveActed: boolean }

/** A connection to one server. */
export type Connection = {
  /** As the server names itself, cleaned. */
  title: string
  /** Which era of the protocol it speaks, to skip the question at the next start. */
  prior: PriorDiscovery
  /** Its tools, judged one by one. */
  listTools(): Promise<JudgedTools | Refusal>
  call(name: string, args: Record<string, unknown>, how: CallOptions): Promise<CallOutcome>
  /** Called when the server says that its tools changed. */
  onToolsChanged(listener: () => void): void
  close(): Promise<void>
}

export type CallOptions = {
  signal: AbortSignal
  /** Without progress, in ms. */
  timeoutMs: number
  onProgress?: (text: string) => void
}

type Route = {
  /** A new transport; the second try of a negotiation needs a fresh one. */
  open(): Transport | Promise<Transport>
  /** The older way of speaking HTTP, for servers that do not know the present one. */
  openOlder?(): Transport
  timeoutMs: number
  prior?: PriorDiscovery | undefined
  /** Folders that older servers may ask for, as `file:` addresses. */
  roots: readonly string[]
  version: string
  signal?: AbortSignal
}

/** Servers that never answer the question of the newer era are asked in the older one after this time, in ms. */
const PROBE_MS = 5_000
const MOST_PAGES = 64
/** A call ends after this many times its time limit, however much progress it reports. */
const MOST_EXTENSIONS = 20

/** Connect to a server, in the newer era of the protocol if it speaks it. */
export async function connectServer(route: Route): Promise<Connection | Refusal> {
  const first = await tryConnect(route, await route.open(), route.prior)
  if (!isRefusal(first)) return first
  if (first.isFinal || route.prior?.kind === 'legacy') return { refused: first.refused }
  // Some servers end at a question that they do not know, and some answer only the older transport.
  const second = await tryConnect(route, await (route.openOlder?.() ?? route.open()), { kind: 'legacy' })
  return isRefusal(second) ? { refused: first.refused } : second
}

async function tryConnect(
  { timeoutMs, roots, version, signal }: Route,
  transport: Transport,
  prior: PriorDiscovery | undefined,
): Promise<Connection | (Refusal & { isFinal: boolean })> {
  const client = new Client(
    { name: 'talaria', version },
    {
      capabilities: roots.length > 0 ? { roots: { listChanged: false } } : {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, timeoutMs) } },
      inputRequired: { autoFulfill: false },
    },
  )
  if (roots.length > 0) client.setRequestHandler('roots/list', () => ({ roots: roots.map(uri => ({ uri })) }))
  try {
    await client.connect(transport, {
      timeout: timeoutMs,
      ...(signal && { signal }),
      ...(prior && { prior }),
    })
  } catch (error) {
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    return { refused: reasonOf(error), isFinal: error instanceof OfflineError || signal?.aborted === true }
  }
  return connectionOf(client, timeoutMs)
}

function connectionOf(client: Client, timeoutMs: number): Connection {
  const discover = client.getDiscoverResult()
  const { name = '', title = name } = client.getServerVersion() ?? {}
  return {
    title: withoutHidden(title).slice(0, 80),
    prior:
      client.getProtocolEra() === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' },
    listTools: () => listTools(client, timeoutMs),
    call: (tool, args, how) => callTool(client, tool, args, how),
    onToolsChanged(listener) {
      client.setNotificationHandler('notifications/tools/list_changed', listener)
    },
    close: () => client.close().catch(() => undefined),
  }
}

/** As loose as can be: the SDK's own list fails as a whole if a single tool is wrong. */
const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

async function listTools(client: Client, timeoutMs: number): Promise<JudgedTools | Refusal> {
  const listed: unknown[] = []
  let cursor: string | undefined
  try {
    for (let page = 0; page < MOST_PAGES && listed.length <= MOST_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const found = await client.request({ method: 'tools/list', params }, toolPage, { timeout: timeoutMs })
      listed.push(...found.tools)
      if (found.nextCursor === undefined || found.nextCursor === cursor) return judgeTools(listed)
      cursor = found.nextCursor
    }
  } catch (error) {
    return { refused: `Its tools could not be listed: ${reasonOf(error)}` }
  }
  const judged = judgeTools(listed)
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
  name: string,
  args: Record<string, unknown>,
  { signal, timeoutMs, onProgress }: CallOptions,
): Promise<CallOutcome> {
  if (signal.aborted) return { failed: 'It was stopped before the call.', mayHaveActed: false }
  try {
    const answered = await client.request(
      { method: 'tools/call', params: { name, arguments: args } },
      z.unknown(),
      {
        signal,
        timeout: timeoutMs,
        maxTotalTimeout: timeoutMs * MOST_EXTENSIONS,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message }) => onProgress?.(progressText(progress, total, message)),
      },
    )
    return { answered }
  } catch (error) {
    if (signal.aborted) return { failed: 'The call was stopped.', mayHaveActed: true }
    return { failed: reasonOf(error), mayHaveActed: mayHaveActed(error) }
  }
}

function progressText(progress: number, total: number | undefined, message: string | undefined): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`
  const said = withoutHidden(message ?? '').replaceAll(/\s+/g, ' ')
  return said === '' ? share : `${share}: ${said.slice(0, 200)}`
}

/** An answer that is an error tells that the server did not act on a call it could not read. */
function mayHaveActed(error: unknown): boolean {
  if (error instanceof OfflineError) return false
  if (SdkError.isInstance(error)) return error.code !== SdkErrorCode.NotConnected
  return !ProtocolError.isInstance(error)
}

/** What went wrong, for a person and the model. */
function reasonOf(error: unknown): string {
  if (error instanceof OfflineError) return error.message
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.RequestTimeout) return 'It did not answer in time.'
    if (error.code === SdkErrorCode.ConnectionClosed) return 'The connection ended.'
    if (error.code === SdkErrorCode.NotConnected) return 'It is not connected.'
  }
  const text = error instanceof Error ? error.message : String(error)
  return withoutHidden(text).replaceAll(/\s+/g, ' ').slice(0, 500)
}

/** The two transports of a server at an address. `fetch` is the host's one way out. */
export function httpTransports(url: URL, headers: Record<string, string>, fetch: typeof globalThis.fetch) {
  const options = { fetch, requestInit: { headers } }
  return {
    open: (): Transport => new StreamableHTTPClientTransport(url, options),
    openOlder: (): Transport => new SSEClientTransport(url, options),
  }
}
