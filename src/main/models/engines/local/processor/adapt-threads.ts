import { watchCores } from './spare-cores.ts'
import { searchThreads, type Work } from './thread-search.ts'
import { availableParallelism } from 'node:os'

/** Runs the steps of an engine, each with the number of threads that suits the machine at that moment. */
export type ThreadControl = {
  /** Return the current number of threads. */
  count(work: Work): number
  /**
   * Run a step of this many tokens at `position`. The search learns from its duration if `isTelling`, that
   * is, unless other work distorts it.
   */
  run<T>(
    work: Work,
    at: { position: number; tokens: number; isTelling: boolean },
    step: () => Promise<T>,
  ): Promise<T>
}

type Step = { position: number; tokens: number; endedAt: number }

/** Idle time after which the load of the machine counts as unknown, in ms. */
const restMs = 30_000
/** Maximum time between two steps that are compared, in ms. */
const apartMs = 5_000
/** Maximum gap between two steps of the same work, in ms. A longer pause is idle time. */
const pauseMs = 50
/** Minimum batch that counts for reading speed, in tokens. Smaller ones take about as long as larger ones. */
const leastRead = 32
/** Length in tokens from which each token takes longer the more tokens precede it. */
const shortChat = 256

/** Use the fixed number of threads that the user set. */
export function fixedThreads(threads: number, set: (threads: number) => void): ThreadControl {
  return {
    count: () => threads,
    run(_work, _at, step) {
      set(threads)
      return step()
    },
  }
}

/**
 * Adapt the number of threads: start with `most`, use fewer if steps are late and more if the machine is
 * quiet. Reading and writing have separate numbers, because reading gains more from many threads. A change
 * that one of them detects also applies to the other until it has measured for itself.
 */
export function adaptThreads(
  most: number,
  set: (threads: number) => void,
  now: () => number = () => performance.now(),
  cores = watchCores(now),
): ThreadControl {
  const searches = {
    reading: searchThreads('reading', most, cores),
    writing: searchThreads('writing', most, cores),
  }
  const last: Partial<Record<Work, Step>> = {}
  let endedAt = now()

  const prepare = (work: Work, position: number, tokens: number) => {
    const startedAt = now()
    if (startedAt - endedAt > restMs) {
      searches.reading.restartAfterRest()
      searches.writing.restartAfterRest()
    }
    const before = last[work]
    if (!before) return
    const isNear =
      isAlike(position + shortChat, before.position + shortChat) && isAlike(tokens, before.tokens)
    if (!isNear || startedAt - before.endedAt > apartMs) searches[work].restart()
  }

  return {
    count: work => searches[work].chosen,
    async run(work, { position, tokens, isTelling }, step) {
      if (now() - endedAt > pauseMs) cores.paused()
      if (searches.reading.isDue || searches.writing.isDue) cores.watch()
      const tells = isTelling && (work === 'writing' || tokens >= leastRead)
      if (tells) prepare(work, position, tokens)
      set(tells ? searches[work].next : searches[work].chosen)
      const startedAt = now()
      const result = await step()
      endedAt = now()
      if (!tells) return result
      last[work] = { position, tokens, endedAt }
      const change = searches[work].recordStep(endedAt - startedAt, tokens)
      if (change) searches[work === 'reading' ? 'writing' : 'reading'].followChange(change)
      return result
    },
  }
}

/** Whether neither number is more than twice the other. */
const isAlike = (one: number, other: number): boolean => one <= other * 2 && other <= one * 2

/** Maximum number of threads. More hardly help, because decoding is limited by memory bandwidth. */
const most = 16

/**
 * Return the maximum and initial number of threads for the engine: one per fast core. It never exceeds the
 * number of cores, because a single extra thread makes decoding a hundred times slower. `fastCores` excludes
 * hyperthreads and efficiency cores, because all threads wait for the slowest.
 */
export function threadCount(
  wish: 'auto' | number,
  { fastCores, cores = availableParallelism() }: { fastCores: number; cores?: number },
): number {
  if (wish === 'auto') return Math.max(1, Math.min(cores, fastCores, most))
  return Math.min(Math.max(Math.floor(wish), 1), cores)
}
