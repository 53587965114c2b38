import type { MessagePort } from 'node:worker_threads'
import type { Channel } from '../../shared/rpc.ts'

/** A channel over a port of Node's worker threads; the desktop's ports differ and are adapted in `shell`. */
export function overWorkerPort(port: MessagePort): Channel {
  let closed = false
  port.on('close', () => {
    closed = true
  })
  return {
    post: message => port.postMessage(message),
    onMessage: listener => void port.on('message', listener),
    onClose: listener => (closed ? queueMicrotask(listener) : void port.on('close', listener)),
    close: () => port.close(),
  }
}

/**
 * Two ends of a channel inside one process, for a terminal that is its own host. Messages are copied and arrive later, as
 * on any other channel; what was posted before the end is delivered before it.
 */
export function memoryChannels(): [Channel, Channel] {
  const left = receiver()
  const right = receiver()
  let open = true
  const end = (mine: Receiver, theirs: Receiver): Channel => ({
    post(message) {
      if (!open) return
      const copy = structuredClone(message)
      setImmediate(() => theirs.take(copy))
    },
    onMessage: mine.onMessage,
    onClose: mine.onClose,
    close() {
      open = false
      setImmediate(() => {
        left.close()
        right.close()
      })
    },
  })
  return [end(left, right), end(right, left)]
}

type Receiver = ReturnType<typeof receiver>

/** The receiving half of an end: keeps what comes before anybody listens. */
function receiver() {
  const early: unknown[] = []
  const closers: (() => void)[] = []
  let listener: ((message: unknown) => void) | undefined
  let closed = false
  return {
    take(message: unknown) {
      if (closed) return
      if (listener) listener(message)
      else early.push(message)
    },
    close() {
      if (closed) return
      closed = true
      for (const each of closers) each()
    },
    onMessage: (next: (message: unknown) => void) => {
      listener = next
      for (const message of early.splice(0)) next(message)
    },
    onClose: (closer: () => void) => {
      if (closed) queueMicrotask(closer)
      else closers.push(closer)
    },
  }
}
