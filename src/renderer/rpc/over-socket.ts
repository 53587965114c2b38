import { encode } from '../../shared/connect.ts'
import type { Channel } from '../../shared/rpc.ts'

/** What the web sockets of browsers and of the tests' client have in common. */
type Socket = {
  readonly readyState: number
  send(text: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  close(): void
}

const open = 1

/** A channel over an open web socket, in JSON; the host drops a page that sends more than 16 MiB, so that is refused here. */
export function overSocket(socket: Socket): Channel {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>()
  socket.addEventListener('close', () => end())
  return {
    post(message) {
      if (socket.readyState === open) socket.send(encode(message))
    },
    onMessage: listener =>
      socket.addEventListener('message', event => listener(JSON.parse(String(event.data)))),
    onClose: listener => void closed.then(listener),
    close: () => socket.close(),
  }
}
