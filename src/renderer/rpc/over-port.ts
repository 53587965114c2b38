import type { Channel } from '../../shared/rpc.ts'

/** What a port of the browser and one of Node's worker threads have in common. */
type Port = {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  start(): void
  close(): void
}

/**
 * A channel over a message port. Electron's pages and Node have a `close` event that plain browsers lack, but it is only for
 * the other side, so whoever closes is told here.
 */
export function overPort(port: Port): Channel {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>()
  port.addEventListener('close', () => end())
  return {
    post: message => port.postMessage(message),
    onMessage(listener) {
      port.addEventListener('message', event => listener(event.data))
      port.start()
    },
    onClose: listener => void closed.then(listener),
    close() {
      port.close()
      end()
    },
  }
}
