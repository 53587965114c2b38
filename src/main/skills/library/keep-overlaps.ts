import type { Skill } from '../../../shared/contract/skills.ts'
import { debounce } from '../../lib/timing.ts'
import type { SkillChecks } from './skill-checks.ts'

type Compared = readonly Omit<Skill, 'attention'>[]

/** Comparing thousands of descriptions takes too long to delay a list. */
const WAIT = { idleMs: 500, maxMs: 5_000 }

/** Cache which descriptions overlap. The result can be slightly outdated. */
export function keepOverlaps(overlapsOf: SkillChecks['overlaps'], onNews: () => void) {
  let known: ReadonlyMap<string, readonly string[]> = new Map()
  let of = ''
  let waiting: Compared = []
  const work = debounce(() => {
    const found = overlapsOf(waiting)
    const isNews = JSON.stringify([...found]) !== JSON.stringify([...known])
    known = found
    if (isNews) onNews()
  }, WAIT)
  return {
    /** By id, the most similar first. */
    known: () => known,
    /** Skills to compare from now on; `version` increases when any of them changes. */
    follow(skills: Compared, version: number) {
      const now = `${version} ${skills.map(({ id }) => id).join()}`
      if (now === of) return
      of = now
      waiting = skills
      work.request()
    },
    close: work.cancel,
  }
}
