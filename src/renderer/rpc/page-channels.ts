import { encodeMessage } from '../../shared/connect-client.ts'
import type { Channel } from '../../shared/rpc.ts'

/** The common interface of browser ports and Node worker ports. */
type Port = {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  start(): void
  close(): void
}

/**
 * A channel over a message port. Electron's pages and Node have a `close` event that plain browsers lack. It
 * fires only on the other side, so `close()` notifies the local listeners itself.
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

/** The common interface of browser web sockets and the test client. */
type Socket = {
  readonly readyState: number
  send(text: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  close(): void
}

const OPEN = 1

/**
 * A JSON channel over an open web socket. The host disconnects a page that sends over 16 MiB, so larger
 * messages are rejected here.
 */
export function overSocket(socket: Socket): Channel {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>()
  socket.addEventListener('close', () => end())
  return {
    post(message) {
      if (socket.readyState === OPEN) socket.send(encodeMessage(message))
    },
    onMessage: listener =>
      socket.addEventListener('message', event => listener(JSON.parse(String(event.data)))),
    onClose: listener => void closed.then(listener),
    close: () => socket.close(),
  }
}
