import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { News, Order, TimedCall } from './caller.ts'

/** A second window, in a separate process, that measures how soon the host of a home answers. */
export type Caller = {
  /**
   * Each call while `work` runs. `isEnough` tells the work that there are enough calls for a p99; the calls
   * go on until then in any case.
   */
  during(work: (isEnough: () => boolean) => Promise<void>): Promise<TimedCall[]>
  close(): void
}

/** Start the calling process for a home folder whose host runs. */
export async function startCaller(home: string): Promise<Caller> {
  const child = fork(join(import.meta.dirname, 'caller.ts'), [home])
  await nextNews(child, 'ready')
  return {
    async during(work) {
      let isEnough = false
      const enough = nextNews(child, 'enough').then(() => {
        isEnough = true
      })
      child.send('begin' satisfies Order)
      await work(() => isEnough)
      await enough
      child.send('end' satisfies Order)
      const { calls } = await nextNews(child, 'took')
      return calls
    },
    close: () => void child.kill(),
  }
}

async function nextNews<T extends News['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<News, { type: T }>> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The calling process ended.')
  })
  try {
    for (;;) {
      const [news] = (await Promise.race([once(child, 'message', { signal: ended.signal }), exit])) as [News]
      if (news.type === type) return news as Extract<News, { type: T }>
    }
  } finally {
    ended.abort()
    exit.catch(() => {})
  }
}

/** The durations of calls, in ms. */
export const msOf = (calls: readonly TimedCall[]): number[] => calls.map(({ ms }) => ms)
