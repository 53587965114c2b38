/** A lock that is granted in the order of the requests. */
export type FairLock = {
  /** Acquire the lock and get the function that releases it; undefined when `signal` aborts first. */
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
