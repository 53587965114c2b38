import type { Channel } from '../../shared/rpc.ts'

/**
 * Create both ends of a channel inside one process, for a terminal that is its own host. Messages are copied
 * and arrive later, as on any other channel. Messages posted before the close are delivered before it.
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

/** The receiving half of an end. It buffers messages until there is a listener. */
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
