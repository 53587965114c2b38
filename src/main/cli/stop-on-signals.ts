import { releaseSignalsWhenStuck } from '../lib/processes/signals-when-stuck.ts'

/** The signals that end a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Stops a command when the process is asked to end, until it is disposed of. */
type Stopping = Disposable & { signal: AbortSignal; stop(): void }

/**
 * Stop on Ctrl-C and similar signals. Only the first is handled, so that a second Ctrl-C ends the process
 * immediately.
 */
export function stopOnSignals(): Stopping {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  const released = releaseSignalsWhenStuck(SIGNALS)
  return {
    signal: stopping.signal,
    stop,
    [Symbol.dispose]() {
      released[Symbol.dispose]()
      for (const signal of SIGNALS) process.off(signal, stop)
    },
  }
}
