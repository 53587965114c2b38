import { setImmediate } from 'node:timers/promises'

/** The time in epoch milliseconds: `Date.now` in the product, a manual clock in tests. */
export type Clock = () => number

/** Wait for work, at most `ms`; return whether it finished in time. The work itself continues. */
export async function withinTime(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), ms)
  try {
    return await Promise.race([work.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Wait for work, but at most `graceMs` after `signal` aborts; undefined if it was not done by then. The work
 * itself continues, and its late result is ignored.
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

/**
 * Yield from `source` until it ends or `signal` aborts, whichever is first. A source that is slow to react is
 * abandoned: it is asked to return, without waiting for it.
 */
export async function* abortableItems<T>(
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

/** A debounced action: `request` schedules it, `cancel` drops what is scheduled. */
type Debounced = { request(): void; cancel(): void }

/**
 * Run `act` once for many requests: `idleMs` after the last one, but at most `maxMs` after the first. Its
 * timer does not keep the process alive.
 */
export function debounce(act: () => void, { idleMs, maxMs }: { idleMs: number; maxMs: number }): Debounced {
  let timer: NodeJS.Timeout | undefined
  let firstAt = 0
  const run = () => {
    timer = undefined
    act()
  }
  return {
    request() {
      const now = performance.now()
      if (timer === undefined) firstAt = now
      clearTimeout(timer)
      timer = setTimeout(run, Math.max(0, Math.min(idleMs, firstAt + maxMs - now))).unref()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Maximum uninterrupted work while other work of the process waits, in ms. */
const SLICE_MS = 5

const waiting: (() => void)[] = []

/**
 * Let everything else that waits in this process run first. A promise alone does not: its continuation runs
 * before the process reads its sockets again. Sockets are also read between two callers, so a call waits for
 * only one slice of work, however many jobs are in progress.
 */
export const letOthersRun = (): Promise<void> =>
  new Promise(resolve => {
    if (waiting.push(resolve) === 1) void wakeOne()
  })

async function wakeOne(): Promise<void> {
  while (waiting.length > 0) {
    await setImmediate()
    waiting.shift()?.()
  }
}

/** Run work that yields after each small step, letting other work run between slices; return its result. */
export async function runInSlices<T>(steps: Iterator<unknown, T>, sliceMs = SLICE_MS): Promise<T> {
  for (;;) {
    const end = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < end)
    await letOthersRun()
  }
}

/** Run the same work without pauses. */
export function runToEnd<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
