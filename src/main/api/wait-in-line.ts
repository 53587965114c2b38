import { ApiProblem } from './api-request.ts'

/** Places at a model, given to programs in the order in which they came. */
export type Line = {
  /** Wait for a place; the returned function gives it back. Throws an `ApiProblem` where too many wait, and ends with the signal. */
  enter(signal: AbortSignal): Promise<() => void>
  /** How many are asked now, and how many wait. */
  readonly counts: { asked: number; waiting: number }
}

/** Most requests that wait. A program that sends more is told to come later. */
const MOST_WAITING = 32

/** Create a line with so many places. */
export function createLine(places: number): Line {
  let taken = 0
  const waiting: (() => void)[] = []

  function leave() {
    const next = waiting.shift()
    // The place goes to the next one without becoming free, so that nobody can jump the line.
    if (next) next()
    else taken -= 1
  }
  const once = () => {
    let isHeld = true
    return () => {
      if (isHeld) leave()
      isHeld = false
    }
  }

  return {
    get counts() {
      return { asked: taken, waiting: waiting.length }
    },
    async enter(signal) {
      signal.throwIfAborted()
      if (taken < places) {
        taken += 1
        return once()
      }
      if (waiting.length >= MOST_WAITING)
        throw new ApiProblem(
          429,
          'too_many_requests',
          `${MOST_WAITING} requests are waiting already. Try again in a moment.`,
        )
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const give = () => {
        signal.removeEventListener('abort', gone)
        resolve()
      }
      const gone = () => {
        waiting.splice(waiting.indexOf(give), 1)
        reject(signal.reason as Error)
      }
      waiting.push(give)
      signal.addEventListener('abort', gone, { once: true })
      await promise
      return once()
    },
  }
}
