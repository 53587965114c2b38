import { connectClient } from '../../shared/connect-client.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault, type CallOptions, type Channel, type Client, type Contract } from '../../shared/rpc.ts'
import { attemptCall } from './attempt.ts'

/**
 * The connection state of a window. `connecting`: the first attempt is running. `lost`: disconnected,
 * including during all retries, until a connection succeeds.
 */
export type ConnectionState = 'connecting' | 'connected' | 'lost'

/** The window's link to the host: a client, the connection state, the last problem, and an immediate retry. */
export type Link = {
  client: HostClient
  state: () => ConnectionState
  /** Why the last attempt failed, for the user; empty while connected. */
  problem: () => string
  subscribe: (listener: () => void) => () => void
  retryNow: () => void
}

/** Resolves to true once connected, or to false if the signal aborts first. */
export async function whenConnected(link: Link, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => (link.state() === 'connected' || signal.aborted) && resolve()
  const unsubscribe = link.subscribe(look)
  signal.addEventListener('abort', look, { once: true })
  look()
  await promise
  unsubscribe()
  signal.removeEventListener('abort', look)
  return !signal.aborted
}

/**
 * A client that outlives its connections. While disconnected, every call and stream fails with
 * `disconnected`.
 */
export type Reconnecting<C extends Contract> = {
  client: Client<C>
  state(): ConnectionState
  /** Why the last attempt failed, for the user; empty while connected. */
  problem(): string
  /** Subscribe to changes of `state` and `problem`; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** Retry now instead of at the next scheduled attempt. */
  retryNow(): void
  close(): void
}

type Options = {
  random?: () => number
  /** Schedule a callback; returns a cancel function. */
  later?: (run: () => void, ms: number) => () => void
}

const shortestMs = 500
const longestMs = 10_000

/** Connects to a host through `open`, and reconnects after 0.5 to 10 s whenever the connection ends. */
export function reconnectingClient<C extends Contract>(
  contract: C,
  open: () => Promise<Channel>,
  { random = Math.random, later = runLater }: Options = {},
): Reconnecting<C> {
  const listeners = new Set<() => void>()
  let state: ConnectionState = 'connecting'
  let problem = ''
  let current: { client: Client<C>; channel: Channel } | undefined
  const ending = new AbortController()
  let wake = () => {}

  async function stayConnected() {
    for (let failures = 0; !ending.signal.aborted; failures++) {
      const opened = await attemptCall(open())
      if (opened.ok && (await useWhileOpen(opened.value))) failures = 0
      if (ending.signal.aborted) return
      change('lost', opened.ok ? '' : opened.fault.message)
      await pause(delayMs(failures, random()))
    }
  }

  /** Use `channel` until it closes. False if the client was closed first. */
  async function useWhileOpen(channel: Channel): Promise<boolean> {
    if (ending.signal.aborted) {
      channel.close()
      return false
    }
    const gone = Promise.withResolvers<void>()
    const client = connectClient(contract, channel)
    channel.onClose(gone.resolve)
    current = { client, channel }
    change('connected')
    await gone.promise
    current = undefined
    return true
  }

  function change(next: ConnectionState, why = '') {
    if (state === next && problem === why) return
    state = next
    problem = why
    for (const listener of listeners) listener()
  }

  async function pause(ms: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const drop = later(resolve, ms)
    wake = resolve
    await promise
    drop()
  }

  void stayConnected()
  return {
    client: clientOf(contract, () => {
      if (!current) throw new Fault('disconnected', 'Talaria is not connected right now.')
      return current.client
    }),
    state: () => state,
    problem: () => problem,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    retryNow: () => wake(),
    close() {
      ending.abort()
      current?.channel.close()
      wake()
    },
  }
}

/** Back-off with jitter before the next attempt. Its upper limit doubles after each failure. */
function delayMs(failures: number, random: number): number {
  const longest = Math.min(longestMs, shortestMs * 2 ** (failures + 1))
  return shortestMs + random * (longest - shortestMs)
}

type AnyClient = Record<string, (input: unknown, options?: CallOptions) => unknown>

/** A client that resolves the current connection at every call; for streams, when iteration starts. */
function clientOf<C extends Contract>(contract: C, current: () => Client<C>): Client<C> {
  const ask = (name: string, input: unknown, options?: CallOptions) =>
    (current() as unknown as AnyClient)[name]!(input, options)
  return Object.fromEntries(
    Object.entries(contract).map(([name, spec]) => [
      name,
      spec.kind === 'call'
        ? async (input: unknown, options?: CallOptions) => ask(name, input, options)
        : async function* (input: unknown, options?: CallOptions) {
            yield* ask(name, input, options) as AsyncGenerator<unknown, void, void>
          },
    ]),
  ) as Client<C>
}

function runLater(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
