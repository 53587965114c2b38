import { watchCores } from './spare-cores.ts'
import { searchThreads } from './thread-search.ts'
import type { Work } from './thread-search.ts'

/** Runs the steps of an engine, each with the number of threads that suits the machine at that moment. */
export type Threads = {
  /** How many there are at the moment. */
  count(work: Work): number
  /**
   * Run a step of so many tokens behind those at `position`. Its time is learned from, unless something else takes time
   * in it as well: that is what `isTelling` says.
   */
  run<T>(
    work: Work,
    at: { position: number; tokens: number; isTelling: boolean },
    step: () => Promise<T>,
  ): Promise<T>
}

type Step = { position: number; tokens: number; endedAt: number }

/** After such a rest nobody knows whether the machine is still busy. */
const restMs = 30_000
/** Steps further apart than this are not compared. */
const apartMs = 5_000
/** A pause between two steps that is more than the work around them. */
const pauseMs = 50
/** Fewer tokens than this take as long to read as many more, so that their time says nothing about reading. */
const leastRead = 32
/** From here on a token takes longer the more there are before it. */
const shortChat = 256

/** Always the same number, as a person has set it. */
export function fixedThreads(threads: number, set: (threads: number) => void): Threads {
  return {
    count: () => threads,
    run(_work, _at, step) {
      set(threads)
      return step()
    },
  }
}

/**
 * Begin with `most` threads, take fewer when steps come late and more when the machine is quiet. Reading and writing
 * have numbers of their own, since reading gains more from many; but what one of them finds out about the machine goes
 * for the other as well, until it knows better.
 */
export function followMachine(
  most: number,
  set: (threads: number) => void,
  now: () => number = () => performance.now(),
  cores = watchCores(now),
): Threads {
  const searches = {
    reading: searchThreads('reading', most, cores),
    writing: searchThreads('writing', most, cores),
  }
  const last: Partial<Record<Work, Step>> = {}
  let endedAt = now()

  const prepare = (work: Work, position: number, tokens: number) => {
    const startedAt = now()
    if (startedAt - endedAt > restMs) {
      searches.reading.beginAgain()
      searches.writing.beginAgain()
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
      const change = searches[work].took(endedAt - startedAt, tokens)
      if (change) searches[work === 'reading' ? 'writing' : 'reading'].follow(change)
      return result
    },
  }
}

/** Whether neither is more than twice the other. */
const isAlike = (one: number, other: number): boolean => one <= other * 2 && other <= one * 2
