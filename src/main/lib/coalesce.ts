/**
 * Join items that follow each other within `ms` into one, where `join` can; order is kept. The first item after a
 * pause passes at once, so that a slow source is not delayed. Leaving early asks the source to close without waiting
 * for the item that it is working on.
 */
export async function* coalesce<T>(
  source: AsyncIterable<T>,
  join: (a: T, b: T) => T | undefined,
  ms = 16,
): AsyncGenerator<T, void, void> {
  const iterator = source[Symbol.asyncIterator]()
  let next = pull(iterator)
  let quietUntil = -Infinity
  try {
    for (;;) {
      const first = await next
      if (first.end) return finish(first)
      let held = first.value
      let followed: Pulled<T> | undefined
      next = pull(iterator)
      while ((followed = await within(next, quietUntil - performance.now()))) {
        const joined = followed.end ? undefined : join(held, followed.value)
        if (joined === undefined) break
        held = joined
        next = pull(iterator)
      }
      yield held
      quietUntil = performance.now() + ms
    }
  } finally {
    // Nobody is left to hear of a source that fails while it is being closed.
    iterator.return?.().catch(() => {})
  }
}

type Pulled<T> = { end: false; value: T } | { end: true; error?: unknown; failed: boolean }

/** Ask for the next item. Failure is a value, because nobody may be waiting at the moment when it comes. */
const pull = <T>(iterator: AsyncIterator<T>): Promise<Pulled<T>> =>
  iterator.next().then(
    ({ done, value }): Pulled<T> => (done ? { end: true, failed: false } : { end: false, value }),
    (error: unknown): Pulled<T> => ({ end: true, failed: true, error }),
  )

function finish(last: { error?: unknown; failed: boolean }): void {
  if (last.failed) throw last.error
}

/** What `promise` gives within `ms`, or undefined. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms <= 0) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
