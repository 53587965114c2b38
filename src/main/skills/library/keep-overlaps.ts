import type { Skill } from '../../../shared/contract/skills.ts'
import { inBursts } from './bursts.ts'
import type { Judges } from './judges.ts'

type Compared = readonly Omit<Skill, 'attention'>[]

/** Comparing thousands of descriptions takes too long for a list. */
const WAIT = { quiet: 500, most: 5_000 }

/** Keep which descriptions overlap: what is known may be a moment old. */
export function keepOverlaps(overlapsOf: Judges['overlaps'], onNews: () => void) {
  let known: ReadonlyMap<string, readonly string[]> = new Map()
  let of = ''
  let waiting: Compared = []
  const work = inBursts(() => {
    const found = overlapsOf(waiting)
    const isNews = JSON.stringify([...found]) !== JSON.stringify([...known])
    known = found
    if (isNews) onNews()
  }, WAIT)
  return {
    /** By id, the most alike first. */
    known: () => known,
    /** These are compared from now on; the version counts up when any of them changes. */
    follow(skills: Compared, version: number) {
      const now = `${version} ${skills.map(({ id }) => id).join()}`
      if (now === of) return
      of = now
      waiting = skills
      work.wish()
    },
    close: work.end,
  }
}
