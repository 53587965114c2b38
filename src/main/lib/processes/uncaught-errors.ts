import { withinTime } from '../timing.ts'

/** The source of uncaught errors: the process itself, or its replacement in a test. */
export type ErrorSource = {
  on(event: ErrorEvent, listener: (error: unknown) => void): unknown
  off(event: ErrorEvent, listener: (error: unknown) => void): unknown
}
type ErrorEvent = (typeof EVENTS)[number]

/** The last steps of a process after an uncaught error, in this order. */
export type LastSteps = {
  /** Log the error where it can be found later. */
  report(error: unknown): void
  /** Finish pending writes. */
  finish(): Promise<void>
  /** Show the error to the user. */
  tell(error: unknown): void
  exit(code: number): void
}

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const

/** How long closing may take, in ms: a process in an unknown state may hang. */
const FINISH_MS = 3_000

/**
 * End the process in an orderly way after an uncaught error, until this is disposed of. Pending writes get
 * three seconds to finish. Later errors are only reported.
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
 * Return whether an error is an uncatchable failed assertion in Node's `fetch`. A server closed a connection
 * while its last bytes were being received. Only that request hangs, until its caller's time limit.
 */
const isOfFetch = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_ASSERTION' &&
  /\bParser\.finish\b.*undici/.test(error.stack ?? '')

/** Run a step while the process is ending; its failure must not prevent the next steps. */
function attempt(step: () => void, onFailure: (error: unknown) => void = () => undefined): void {
  try {
    step()
  } catch (error) {
    onFailure(error)
  }
}
