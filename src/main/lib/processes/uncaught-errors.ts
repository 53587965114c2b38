import { withinTime } from '../timing.ts'

/** Where errors that nothing caught arrive: the process itself, or its replacement in a test. */
export type ErrorSource = {
  on(event: ErrorEvent, listener: (error: unknown) => void): unknown
  off(event: ErrorEvent, listener: (error: unknown) => void): unknown
}
type ErrorEvent = (typeof EVENTS)[number]

/** What a process still does after an error that nothing caught, in this order. */
export type LastSteps = {
  /** Write the error to where it can be found later. */
  report(error: unknown): void
  /** Finish what is being written. */
  finish(): Promise<void>
  /** Show it to the person. */
  tell(error: unknown): void
  exit(code: number): void
}

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const

/** A process in an unknown state may hang while it closes. */
const FINISH_MS = 3_000

/**
 * End the process in good order after an error that nothing caught, until this is disposed of. What is being written
 * gets three seconds to finish. Later errors are only reported.
 */
export function endOnUncaughtErrors(steps: LastSteps, source: ErrorSource = process): Disposable {
  let isEnding = false
  const report = (error: unknown) => attempt(() => steps.report(error))

  async function end(error: unknown): Promise<void> {
    report(error)
    if (isEnding) return
    isEnding = true
    try {
      await withinTime(FINISH_MS, steps.finish())
    } catch (failure) {
      report(failure)
    }
    attempt(() => steps.tell(error), report)
    steps.exit(1)
  }

  const listener = (error: unknown) => (isOfFetch(error) ? report(error) : void end(error))
  for (const event of EVENTS) source.on(event, listener)
  return {
    [Symbol.dispose]() {
      for (const event of EVENTS) source.off(event, listener)
    },
  }
}

/**
 * Node’s `fetch` asserts where nobody can catch it when a server closes a connection while its last bytes are still being taken
 * in. Only that request hangs then, and whoever asked gives it up in time.
 */
const isOfFetch = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_ASSERTION' &&
  /\bParser\.finish\b.*undici/.test(error.stack ?? '')

/** The process is ending, so that a step which fails must not keep the next ones from running. */
function attempt(step: () => void, onFailure: (error: unknown) => void = () => undefined): void {
  try {
    step()
  } catch (error) {
    onFailure(error)
  }
}
