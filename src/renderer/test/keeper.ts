import { inject } from 'vitest'
import type { FromKeeper, HostKeeper, ModelRequest } from '../../../testing/window/protocol.ts'

type Asking = {
  [K in keyof HostKeeper]: (
    input: Parameters<HostKeeper[K]>[0],
  ) => Promise<Awaited<ReturnType<HostKeeper[K]>>>
}

/** The client of the process that runs the hosts of browser tests. */
export type Keeper = Asking & {
  /** Subscribe to the model requests and aborted answers of this page's hosts. */
  onModel(listener: (event: { asked: ModelRequest } | { cut: string }) => void): () => void
}

const port = inject('hostKeeperPort')

/** The WebSocket URL of a host for a window. */
export const rpcAddress = (hostId: string): string => `ws://127.0.0.1:${port}/rpc/${hostId}`
/** The WebSocket URL of a host for a terminal. */
export const terminalAddress = (hostId: string): string => `ws://127.0.0.1:${port}/terminal/${hostId}`

let shared: Promise<Keeper> | undefined
/** One shared connection per page. Hosts stop when their page closes. */
export const openKeeper = (): Promise<Keeper> => (shared ??= connectKeeper())

async function connectKeeper(): Promise<Keeper> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/control`)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners = new Set<(event: { asked: ModelRequest } | { cut: string }) => void>()
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as FromKeeper
    if (!('id' in message)) return listeners.forEach(listener => listener(message))
    const caller = waiting.get(message.id)
    waiting.delete(message.id)
    if ('error' in message) caller?.reject(new Error(message.error))
    else caller?.resolve(message.value)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('close', () => reject(new Error('There is no process that keeps hosts.')), {
      once: true,
    })
  })
  const ask = (name: keyof HostKeeper) => (input: unknown) => {
    const id = ++lastId
    const caller = Promise.withResolvers<unknown>()
    waiting.set(id, caller)
    socket.send(JSON.stringify({ id, ask: name, input }))
    return caller.promise
  }
  const names = ['open', 'seed', 'answer', 'read', 'upload', 'phone', 'close'] as const
  const asking = Object.fromEntries(names.map(name => [name, ask(name)])) as Asking
  return {
    ...asking,
    onModel(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
