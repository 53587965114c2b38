import { setTimeout as sleep } from 'node:timers/promises'
import { Stalled } from './trouble.ts'

/** Wait for a sign of the server; rejects with `Stalled` after `ms`, and at once when `signal` aborts. */
export async function waitFor<T>(
  sign: PromiseLike<T>,
  ms: number,
  begun: boolean,
  signal: AbortSignal,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Stalled(begun, ms)), ms)
  const abort = () => late.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([sign, late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Sleep, or wake at once when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
