import type { HostClient } from '../../shared/contract/index.ts'
import type { ConnectionState } from './reconnecting.ts'

/** The host as the window sees it: a client, the state of the line, and a way to try again at once. */
export type Link = {
  client: HostClient
  state: () => ConnectionState
  subscribe: (listener: () => void) => () => void
  retryNow: () => void
}

/** Wait until the host is there (again); resolves to false when the signal aborts first. */
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
