/** Lets people pass one at a time, in the order in which they came. */
export type Turns = {
  /** Wait for a turn and get the function that ends it; undefined when `signal` aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>
}

/** Make an empty line. */
export function createTurns(): Turns {
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

/** Wait for work that never rejects, but no longer than until `signal` aborts. */
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
