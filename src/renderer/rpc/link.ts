import type { HostClient } from '../../shared/contract/index.ts'
import type { ConnectionState } from './reconnecting.ts'

/** The window's link to the host: a client, the connection state, and an immediate retry. */
export type Link = {
  client: HostClient
  state: () => ConnectionState
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
