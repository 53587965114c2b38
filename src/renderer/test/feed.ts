import { Fault } from '../../shared/rpc.ts'

/** Items that come from outside, for any number of listeners; a listener hears what is said after it began. */
export type Feed<T> = {
  say(item: T): void
  /** End every listener, as a host does at the end of a run, or with the fault of a broken line. */
  end(fault?: Fault): void
  listen(signal?: AbortSignal): AsyncGenerator<T, void, void>
}

/** A stream that a test writes to. */
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
