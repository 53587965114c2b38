import type { Socket } from 'node:net'
import type { Channel } from '../../shared/rpc.ts'
import { parseJson } from '../lib/expected-errors.ts'

const newline = 10
/** A peer with this much unread output is dropped. */
const maxBacklogBytes = 64 << 20

type Options = {
  /** Drop a peer that sends a longer line. Only the host sets a limit, because its own answers may be long. */
  maxLineBytes?: number
  report?: (error: unknown) => void
  toText?: (message: unknown) => string
}

/** A channel over a local socket: one JSON message per line. */
export function overPipe(socket: Socket, options: Options = {}): Channel {
  const { maxLineBytes = Infinity, report = () => {}, toText = JSON.stringify } = options
  // Every socket error is followed by `close`, which both ends handle.
  socket.on('error', () => {})

  return {
    post(message) {
      if (!socket.writable) return
      socket.write(`${toText(message)}\n`)
      if (socket.writableLength <= maxBacklogBytes) return
      report(new Error('Dropped a peer of the pipe: it does not read what it is sent.'))
      socket.destroy()
    },
    onMessage(listener) {
      readLines(socket, maxLineBytes, report, line => {
        const message = parseJson(line)
        if (message === undefined) report(new Error('Dropped a line of the pipe that is not JSON.'))
        else listener(message)
      })
    },
    onClose: listener => (socket.closed ? queueMicrotask(listener) : void socket.once('close', listener)),
    close: () => socket.destroySoon(),
  }
}

function readLines(
  socket: Socket,
  maxBytes: number,
  report: (error: unknown) => void,
  take: (line: string) => void,
): void {
  let parts: Buffer[] = []
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    let from = 0
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      if (!keep(chunk.subarray(from, to))) return
      const line = Buffer.concat(parts).toString('utf8')
      parts = []
      bytes = 0
      from = to + 1
      take(line)
      if (socket.destroyed) return
    }
    keep(chunk.subarray(from))
  })

  function keep(part: Buffer): boolean {
    bytes += part.length
    if (bytes > maxBytes) {
      report(new Error(`Dropped a peer of the pipe: it sent a line of more than ${maxBytes} bytes.`))
      socket.destroy()
      return false
    }
    if (part.length > 0) parts.push(part)
    return true
  }
}
