/** Synchronous publish and subscribe: `publish` returns after all listeners ran, in order of subscription. */
export type Topic<T> = {
  publish(this: void, item: T): void
  /** Add a listener. Returns a function that removes it. */
  subscribe(this: void, listener: (item: T) => void): () => void
}

/** Create a topic. It keeps no items for later subscribers; an error in a listener reaches the publisher. */
export function createTopic<T>(): Topic<T> {
  let listeners: readonly ((item: T) => void)[] = []
  return {
    publish(item) {
      for (const listener of listeners) listener(item)
    },
    subscribe(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(each => each !== listener)
      }
    },
  }
}

/** One publisher, any number of listeners, each with its own queue. */
export type Broadcast<T> = {
  publish(item: T): void
  /**
   * Listen from now on, until `signal` aborts or the broadcast closes. Listening starts with the call, not
   * with the first `next()`, so a caller that may leave before that must call `return()` (`await using`
   * does).
   */
  listen(signal: AbortSignal): AsyncGenerator<T, void, void>
  close(): void
  /** The number of current listeners. */
  readonly listening: number
}

type Listener<T> = { queue: T[]; wake: () => void }

/** Create a broadcast. Later listeners do not get earlier items. */
export function createBroadcast<T>(): Broadcast<T> {
  const listeners = new Set<Listener<T>>()
  let closed = false

  async function* follow(listener: Listener<T>, signal: AbortSignal): AsyncGenerator<T, void, void> {
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

  return {
    publish(item) {
      for (const listener of listeners) {
        listener.queue.push(item)
        listener.wake()
      }
    },
    listen(signal) {
      const listener: Listener<T> = { queue: [], wake: () => {} }
      listeners.add(listener)
      const items = follow(listener, signal)
      const leave = items.return.bind(items)
      // A generator without a `next()` call returns without running its `finally`.
      items.return = value => {
        listeners.delete(listener)
        return leave(value)
      }
      return items
    },
    close() {
      closed = true
      for (const listener of listeners) listener.wake()
    },
    get listening() {
      return listeners.size
    },
  }
}
