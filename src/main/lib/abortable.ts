/**
 * Follow `source` until it ends or `signal` aborts, whichever is first. A source that is slow to notice the signal is
 * left behind: it is asked to end, and nobody waits for it.
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
        // What the source still says, even an error, has no listener any more.
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
