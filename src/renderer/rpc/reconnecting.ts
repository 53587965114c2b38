import { connect } from '../../shared/connect.ts'
import { Fault, type CallOptions, type Channel, type Client, type Contract } from '../../shared/rpc.ts'

/**
 * Where a window stands with its host. `connecting`: the first attempt is under way. `lost`: there is no connection, and it
 * stays `lost`, through all attempts, until there is one again.
 */
export type ConnectionState = 'connecting' | 'connected' | 'lost'

/** A client that outlives its connections. While there is none, every call and stream is a `disconnected` fault. */
export type Reconnecting<C extends Contract> = {
  client: Client<C>
  state(): ConnectionState
  /** Be told of every change of `state`; returns a way to stop. */
  subscribe(listener: () => void): () => void
  /** Try again without waiting for the next attempt's turn. */
  retryNow(): void
  close(): void
}

type Options = {
  random?: () => number
  /** Run something later; returns a way to drop it. */
  later?: (run: () => void, ms: number) => () => void
}

const shortestMs = 500
const longestMs = 10_000

/** Connect to a host through `open`, and again whenever the connection ends, after 0.5 to 10 s. */
export function reconnecting<C extends Contract>(
  contract: C,
  open: () => Promise<Channel>,
  { random = Math.random, later = runLater }: Options = {},
): Reconnecting<C> {
  const listeners = new Set<() => void>()
  let state: ConnectionState = 'connecting'
  let current: { client: Client<C>; channel: Channel } | undefined
  const ending = new AbortController()
  let wake = () => {}

  async function stayConnected() {
    for (let failures = 0; !ending.signal.aborted; failures++) {
      const channel = await attempt(open)
      if (channel && (await useWhileOpen(channel))) failures = 0
      if (ending.signal.aborted) return
      change('lost')
      await pause(delayMs(failures, random()))
    }
  }

  /** Speak through `channel` until it ends. False when the client was closed before it could be used. */
  async function useWhileOpen(channel: Channel): Promise<boolean> {
    if (ending.signal.aborted) {
      channel.close()
      return false
    }
    const gone = Promise.withResolvers<void>()
    const client = connect(contract, channel)
    channel.onClose(gone.resolve)
    current = { client, channel }
    change('connected')
    await gone.promise
    current = undefined
    return true
  }

  function change(next: ConnectionState) {
    if (state === next) return
    state = next
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
      if (!current) throw new Fault('disconnected', 'There is no connection to the host at the moment.')
      return current.client
    }),
    state: () => state,
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

/** The wait before the next attempt: twice as long after each failure, and never the same for two windows. */
export function delayMs(failures: number, random: number): number {
  const longest = Math.min(longestMs, shortestMs * 2 ** (failures + 1))
  return shortestMs + random * (longest - shortestMs)
}

async function attempt(open: () => Promise<Channel>): Promise<Channel | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

type AnyClient = Record<string, (input: unknown, options?: CallOptions) => unknown>

/** A client that asks for the connection of the moment at every call, and for streams when their loop begins. */
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
