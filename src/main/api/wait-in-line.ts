import { ApiProblem } from './api-request.ts'

/** A queue for a model's places, first come, first served. */
export type Line = {
  /** Wait for a place; the returned function frees it. Throws an `ApiProblem` if too many wait. */
  enter(signal: AbortSignal): Promise<() => void>
  /** How many requests are running, and how many wait. */
  readonly counts: { asked: number; waiting: number }
}

/** Maximum number of waiting requests; further ones are told to come later. */
const MOST_WAITING = 32

/** Create a queue with so many places. */
export function createLine(places: number): Line {
  let taken = 0
  const waiting: (() => void)[] = []

  function leave() {
    const next = waiting.shift()
    // Pass the place on directly, so that no newcomer can take it in between.
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
