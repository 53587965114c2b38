/** One source, any number of listeners, each with a queue of its own. */
export type Broadcast<T> = {
  publish(item: T): void
  /** Follow from now on; ends when `signal` aborts or the broadcast closes. Listening starts with the call, not with the first `next()`. */
  listen(signal: AbortSignal): AsyncGenerator<T, void, void>
  close(): void
}

/** Make a broadcast. Nothing is kept for listeners that come later. */
export function createBroadcast<T>(): Broadcast<T> {
  const listeners = new Set<{ queue: T[]; wake(): void }>()
  let closed = false

  return {
    publish(item) {
      for (const listener of listeners) {
        listener.queue.push(item)
        listener.wake()
      }
    },
    listen(signal) {
      const listener = { queue: [] as T[], wake: () => {} }
      listeners.add(listener)
      return follow(listener, signal)
    },
    close() {
      closed = true
      for (const listener of listeners) listener.wake()
    },
  }

  async function* follow(listener: { queue: T[]; wake(): void }, signal: AbortSignal) {
    const wake = () => listener.wake()
    signal.addEventListener('abort', wake)
    try {
      for (;;) {
        yield* listener.queue.splice(0)
        if (listener.queue.length > 0) continue
        if (closed || signal.aborted) return
        await new Promise<void>(resolve => {
          listener.wake = resolve
        })
      }
    } finally {
      signal.removeEventListener('abort', wake)
      listeners.delete(listener)
    }
  }
}
