import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { SkillRevision } from '../../../shared/contract/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newId } from '../../lib/ids.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import { syncFolder } from '../../lib/write-atomic.ts'
import type { Store } from '../../store/types.ts'
import { digestOf } from '../library/parts.ts'
import type { SkillBy, SkillRefusal } from '../types.ts'
import type { Archive } from './archive.ts'
import type { Disk } from './disk.ts'
import type { PlannedDraft } from './draft.ts'
import { planChange, type Load, type Plan, type Step } from './plan-change.ts'
import { reasonlessly } from './reasonlessly.ts'
import { writeTree } from './tree.ts'

/** Makes changes of skills, each of them wholly or not at all. */
export type Maker = {
  make(drafts: readonly PlannedDraft[], by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
}

type Pending = { phase: 'preparing' | 'making'; plan: Plan }
type Parts = {
  /** The folders that Talaria keeps skills in; they stay although they are empty. */
  roots: () => readonly { key: string; folder: string }[]
  store: Store['skills']
  archive: Archive
  disk: Disk
  now: () => number
  report: (error: unknown) => void
}

const WAITS = 'What waits is completed as soon as that is mended.'

/**
 * Open the maker of changes and finish the change that a crash interrupted. What a change needs is first laid out beside
 * the skills, then the change is written down, and then it is made by renaming: a crash before the writing down leaves
 * the old state, a later one the new state at the next start. A disk that fills up is met before anything is changed.
 */
export function openMaker({ roots, store, archive, disk, now, report }: Parts): Maker {
  /** A change whose files are as before, but whose record could not be removed. */
  let isGivenUp = false
  if (settle()) sweep()

  function make(drafts: readonly PlannedDraft[], by: SkillBy) {
    if (!settle()) return { refused: `Not saved: an earlier change could not be finished. ${WAITS}` }
    const { plan, load } = planChange(drafts, by, {
      id: newId('change', now),
      at: now(),
      roots: roots().map(each => each.folder),
      archive: archive.root,
    })
    return (
      refusalOf(() => store.begin(JSON.stringify({ phase: 'preparing', plan: outline(plan) }))) ??
      prepare(plan, load) ??
      carryOut(plan)
    )
  }

  /** Lay everything out; nothing that anybody looks at is touched. */
  function prepare(plan: Plan, load: Load): SkillRefusal | undefined {
    const kept: string[] = []
    const refused = refusalOf(() => {
      for (const area of plan.areas) disk.makeFolder(area)
      for (const { path, tree } of load.trees) writeTree(path, tree, disk)
      for (const { path, bytes, mode } of load.files) disk.write(path, bytes, mode)
      for (const bytes of load.keep) {
        const path = archive.putBytes(bytes)
        if (path !== undefined) kept.push(path)
      }
      if (plan.archive !== null) archive.putTraces(plan.archive, load.traces)
      for (const { name, tree } of load.asides) archive.putTree(name, tree)
      for (const area of plan.areas) syncFolder(area)
      store.begin(JSON.stringify({ phase: 'making', plan } satisfies Pending))
    })
    if (!refused) return undefined
    for (const path of kept) attempt(() => disk.remove(path))
    giveUp(plan)
    return refused
  }

  function carryOut(plan: Plan): { revisions: SkillRevision[] } | SkillRefusal {
    const done: Step[] = []
    let revisions: SkillRevision[] = []
    const refused =
      refusalOf(() => {
        for (const step of plan.steps) {
          move(step)
          done.push(step)
        }
        syncEnds(plan.steps)
      }) ?? refusalOf(() => (revisions = commit(plan)))
    if (!refused) {
      tidy(plan)
      return { revisions }
    }
    const stuck = refusalOf(() => {
      for (const step of done.toReversed()) moveBack(step)
      syncEnds(done)
    })
    for (const { to, within } of plan.steps) prune(dirname(to), within)
    if (stuck) {
      return { refused: `${refused.refused} It could not be taken back either. ${WAITS}` }
    }
    giveUp(plan)
    return refused
  }

  function move({ from, to }: Step): void {
    disk.makeFolder(dirname(to))
    disk.rename(from, to)
  }

  function moveBack({ from, to, old }: Step): void {
    disk.makeFolder(dirname(from))
    disk.rename(old ?? to, old === null ? from : to)
  }

  function commit(plan: Plan): SkillRevision[] {
    const digests = new Map(plan.accepts.map(({ key, folder }) => [key, digestOf(folder)]))
    const states = plan.states.map(each => ({ ...each, accepted: digests.get(each.key) ?? each.accepted }))
    return store.commit({ revisions: plan.revisions, states })
  }

  /** Remove what only the change needed; what does not go is of no harm. */
  function tidy(plan: Plan): void {
    for (const area of plan.areas) attempt(() => disk.remove(area))
    // Folders that the change left empty: those of files that went, and categories without a skill.
    for (const { from, unique, within } of plan.steps) if (unique === 'to') prune(dirname(from), within)
  }

  function giveUp(plan: Plan): void {
    clear(plan)
    isGivenUp = true
    settle()
  }

  /** Remove all that was laid out for a change that is not made. */
  function clear(plan: Plan): void {
    for (const area of plan.areas) attempt(() => disk.remove(area))
    const own = plan.archive === null ? undefined : join(archive.root, plan.archive)
    // A skill that somehow got there already is not lost.
    if (own !== undefined && !plan.steps.some(({ to }) => to.startsWith(own + sep) && existsSync(to)))
      attempt(() => disk.remove(own))
    for (const folder of plan.folders.toReversed()) reasonlessly(() => rmdirSync(folder))
  }

  /** End what could not be ended; whether nothing is left of it. */
  function settle(): boolean {
    const kept = store.pending()
    if (kept === undefined) return true
    const { phase, plan } = JSON.parse(kept) as Pending
    const laidOut = [...plan.areas, ...(plan.archive === null ? [] : [join(archive.root, plan.archive)])]
    const refused = refusalOf(() => {
      // Without what was laid out, the change was taken back already.
      if (isGivenUp || phase === 'preparing' || !laidOut.every(path => existsSync(path))) {
        clear(plan)
        store.giveUp()
      } else {
        for (const step of plan.steps) if (isOpen(step)) move(step)
        syncEnds(plan.steps)
        commit(plan)
        tidy(plan)
      }
      isGivenUp = false
    })
    if (refused) report(new Error(refused.refused))
    return !refused
  }

  /** Remove what a crash between the end of the last change and its tidying left. */
  function sweep(): void {
    const [last] = store.history({ limit: 1 }).revisions
    const parents = new Set(roots().map(each => each.folder))
    for (const { key, folder } of roots())
      if (last?.skillId.startsWith(`${key}/`))
        parents.add(dirname(join(folder, last.skillId.slice(key.length))))
    for (const parent of parents)
      for (const name of reasonlessly(() => readdirSync(parent)) ?? [])
        if (name.startsWith('.changing-change_')) attempt(() => disk.remove(join(parent, name)))
  }

  function attempt(work: () => void): void {
    const refused = refusalOf(work)
    if (refused) report(new Error(refused.refused))
  }

  return { make }
}

/** Whether a step of a change that was interrupted is still to be done. What somebody wrote there meanwhile stays. */
function isOpen({ from, to, unique, old }: Step): boolean {
  if (unique === 'to') return existsSync(from) && !existsSync(to)
  if (!existsSync(from)) return false
  if (old === null) return !existsSync(to)
  return reasonlessly(() => readFileSync(to))?.equals(readFileSync(old)) ?? false
}

/** Remove a folder when it is empty, and what it lies in when that is empty then, up to a folder that stays. */
function prune(folder: string, within: string): void {
  for (let at = folder; at.startsWith(within + sep); at = dirname(at)) {
    reasonlessly(() => rmdirSync(at))
    if (existsSync(at)) return
  }
}

/** Make renames durable. */
function syncEnds(steps: readonly Step[]): void {
  const folders = new Set(steps.flatMap(({ from, to }) => [dirname(from), dirname(to)]))
  for (const folder of folders) if (existsSync(folder)) syncFolder(folder)
}

/** What must be known to clear away a change that did not get further. */
const outline = (plan: Plan): Plan => ({ ...plan, steps: [], revisions: [], states: [], accepts: [] })

/** What the disk or the store refused, in words; undefined when they did not. */
function refusalOf(work: () => void): SkillRefusal | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Fault) return { refused: `Not saved: ${error.message}` }
    const { code, path = 'The skill' } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return { refused: 'Not saved: the disk is full. What was there is unchanged.' }
    // Nobody knows the folders that a change is laid out in.
    const place = path.replace(/[/\\]\.changing-.*$/, '')
    return {
      refused: `Not saved: ${place} cannot be written (${reasonOf(code)}). What was there is unchanged.`,
    }
  }
}
