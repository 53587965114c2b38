/**
 * Wait for work, but at most `graceMs` after `signal` aborts; undefined when it was not done by then. The
 * work itself continues, and its late result is ignored.
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<T | undefined> {
  const left = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout | undefined
  const abort = () => {
    timer = setTimeout(() => left.resolve(undefined), graceMs)
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, left.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
