import { type WebSocket } from 'ws'
import { type Channel } from '../../shared/rpc.ts'
import { parseJson } from '../lib/expected-errors.ts'

/** Maximum bytes of unread output; a page with more is dropped. */
const maxBacklogBytes = 64 << 20

/** Wrap the host's end of a web socket as a channel. Messages other than JSON text are dropped. */
export function overServerSocket(socket: WebSocket, report: (error: unknown) => void): Channel {
  // A frame that is too large or broken raises an error, after which ws closes the socket.
  socket.on('error', report)
  return {
    post(message) {
      if (socket.readyState !== socket.OPEN) return
      socket.send(JSON.stringify(message))
      if (socket.bufferedAmount <= maxBacklogBytes) return
      report(new Error('Dropped a page: it does not read what it is sent.'))
      socket.terminate()
    },
    onMessage(listener) {
      socket.on('message', (data, isBinary) => {
        const message = isBinary ? undefined : parseJson((data as Buffer).toString('utf8'))
        if (message === undefined) report(new Error('Dropped a message of a page that is not JSON.'))
        else listener(message)
      })
    },
    onClose: listener =>
      socket.readyState === socket.CLOSED ? queueMicrotask(listener) : void socket.once('close', listener),
    close: () => socket.close(),
  }
}
