import { Fault } from '../../shared/rpc.ts'

/** A multicast stream of external items. Listeners receive items sent after they subscribed. */
export type Feed<T> = {
  say(item: T): void
  /** End all listeners, as a host does after a run, or fail them, as a lost connection does. */
  end(fault?: Fault): void
  listen(signal?: AbortSignal): AsyncGenerator<T, void, void>
}

/** Create a stream that a test writes to. */
export function feed<T>(): Feed<T> {
  type Listener = { queue: T[]; over: boolean; fault: Fault | undefined; wake: () => void }
  const listeners = new Set<Listener>()
  return {
    say(item) {
      for (const listener of listeners) {
        listener.queue.push(item)
        listener.wake()
      }
    },
    end(fault) {
      for (const listener of listeners) {
        Object.assign(listener, { over: true, fault })
        listener.wake()
      }
    },
    listen(signal) {
      const listener: Listener = { queue: [], over: false, fault: undefined, wake: () => {} }
      listeners.add(listener)
      signal?.addEventListener('abort', () => {
        Object.assign(listener, { over: true, fault: new Fault('cancelled', 'Cancelled.') })
        listener.wake()
      })
      return (async function* () {
        try {
          for (;;) {
            yield* listener.queue.splice(0)
            if (listener.queue.length > 0) continue
            if (listener.fault) throw listener.fault
            if (listener.over) return
            await new Promise<void>(resolve => {
              listener.wake = resolve
            })
          }
        } finally {
          listeners.delete(listener)
        }
      })()
    },
  }
}
