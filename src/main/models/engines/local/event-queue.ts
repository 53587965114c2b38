/** Carries events from callbacks to a loop. */
export type EventQueue<T> = {
  push: (event: T) => void
  /** No more events will come. */
  end: () => void
  /** The events in order. Ends at once when the signal aborts, even if events are left. */
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
