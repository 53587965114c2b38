import { setTimeout as delay } from 'node:timers/promises'
import { Stalled } from './request-failure.ts'

/** How long to wait for the next part of an answer. */
export type Wait = {
  ms: number
  /** Whether the answer had started. */
  begun: boolean
  /** When the server last gave any sign of life (`performance.now()`); `ms` counts from there. */
  lastSignAt: () => number
}

/**
 * Wait for a part of an answer. Rejects with `Stalled` after `ms` without a sign of life, and at once when `signal`
 * aborts.
 */
export async function waitFor<T>(part: PromiseLike<T>, wait: Wait, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>()
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const leftMs = Math.max(startedAt, wait.lastSignAt()) + wait.ms - performance.now()
    if (leftMs <= 0) late.reject(new Stalled(wait.begun, wait.ms))
    else timer = setTimeout(look, leftMs)
  }
  const abort = () => late.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  look()
  try {
    return await Promise.race([part, late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Sleep, or wake at once when `signal` aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
