/** A lock that is granted in the order of the requests. */
type FairLock = {
  /** Acquire the lock. Returns the function that releases it; undefined if `signal` aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>
}

/** Create an unlocked lock. */
export function createFairLock(): FairLock {
  let last: Promise<void> = Promise.resolve()
  return {
    async enter(signal) {
      const mine = Promise.withResolvers<void>()
      const before = last
      last = before.then(() => mine.promise)
      await settledOrAborted(before, signal)
      if (!signal.aborted) return mine.resolve
      mine.resolve()
      return undefined
    },
  }
}

/** Wait for work that never rejects, or until `signal` aborts. */
export async function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const aborted = Promise.withResolvers<void>()
  const abort = () => aborted.resolve()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Carries events from callbacks to a loop. */
type EventQueue<T> = {
  push: (event: T) => void
  /** End the queue: no more events will come. */
  end: () => void
  /** Yield the events in order. Ends at once if the signal aborts, even if events are left. */
  items(): AsyncGenerator<T, void, void>
}

/** Open a queue for one reader. */
export function openEventQueue<T>(signal: AbortSignal): EventQueue<T> {
  let events: T[] = []
  let hasEnded = false
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    push(event) {
      events.push(event)
      wake()
    },
    end() {
      hasEnded = true
      wake()
    },
    async *items() {
      while (!signal.aborted) {
        const batch = events
        events = []
        for (const event of batch) {
          if (signal.aborted) return
          yield event
        }
        if (events.length > 0) continue
        if (hasEnded) return
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
  }
}
