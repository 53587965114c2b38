/**
 * Yield from `source` until it ends or `signal` aborts, whichever is first. A source that is slow to react is
 * abandoned: it is asked to return, without waiting for it.
 */
export async function* abortable<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const iterator = source[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<'aborted'>()
  const abort = () => aborted.resolve('aborted')
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let ended = false
  try {
    for (;;) {
      const next = iterator.next()
      const first = await Promise.race([aborted.promise, next])
      if (first === 'aborted') {
        // Ignore what the abandoned source still yields or throws.
        next.catch(() => undefined)
        return
      }
      if (first.done) {
        ended = true
        return
      }
      yield first.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    if (!ended) void iterator.return?.()?.catch(() => undefined)
  }
}
