import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newId } from '../../lib/ids.ts'
import { reasonOf } from '../../lib/expected-errors.ts'
import { syncFolder } from '../../lib/disk/durable-files.ts'
import type { Store } from '../../db/store.ts'
import { digestOf } from '../library/skill-files.ts'
import type { SkillBy, SkillRefusal } from '../skill-types.ts'
import type { Archive } from './archive.ts'
import { tryFs, type Disk, writeTree } from './folder-tree.ts'
import type { PlannedChange } from './skill-snapshot.ts'
import { planWrite, type PreparedFiles, type WritePlan, type RenameStep } from './plan-write.ts'

/** Writes changes of skills atomically. */
export type ChangeWriter = {
  write(changes: readonly PlannedChange[], by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
}

type Pending = { phase: 'preparing' | 'making'; plan: WritePlan }
type Parts = {
  /** Talaria's own skill folders, which stay even when they are empty. */
  roots: () => readonly { key: string; folder: string }[]
  store: Store['skills']
  archive: Archive
  disk: Disk
  now: () => number
  report: (error: unknown) => void
}

const WAITS = 'What waits is completed as soon as that is mended.'

/**
 * Open the change writer, and first finish a change that a crash interrupted. A change is prepared in
 * temporary folders next to the skills, recorded in the store, and then carried out by renames. A crash
 * before the record leaves the old state; after it, the next start completes the change. A full disk fails
 * before any skill changes.
 */
export function openChangeWriter({ roots, store, archive, disk, now, report }: Parts): ChangeWriter {
  /** A change was rolled back, but its record could not be removed. */
  let isGivenUp = false
  if (finishInterrupted()) removeLeftovers()

  function write(changes: readonly PlannedChange[], by: SkillBy) {
    if (!finishInterrupted())
      return { refused: `Not saved: an earlier change could not be finished. ${WAITS}` }
    const { plan, load } = planWrite(changes, by, {
      id: newId('change', now),
      at: now(),
      roots: roots().map(each => each.folder),
      archive: archive.root,
    })
    return (
      refusalOf(() => store.begin(JSON.stringify({ phase: 'preparing', plan: withoutSteps(plan) }))) ??
      prepare(plan, load) ??
      carryOut(plan)
    )
  }

  /** Write the new files to a temporary folder; the skills are not touched yet. */
  function prepare(plan: WritePlan, load: PreparedFiles): SkillRefusal | undefined {
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
    for (const path of kept) tryOrReport(() => disk.remove(path))
    abandon(plan)
    return refused
  }

  function carryOut(plan: WritePlan): { revisions: SkillRevision[] } | SkillRefusal {
    const done: RenameStep[] = []
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
      cleanUp(plan)
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
    abandon(plan)
    return refused
  }

  function move({ from, to }: RenameStep): void {
    disk.makeFolder(dirname(to))
    disk.rename(from, to)
  }

  function moveBack({ from, to, old }: RenameStep): void {
    disk.makeFolder(dirname(from))
    disk.rename(old ?? to, old === null ? from : to)
  }

  function commit(plan: WritePlan): SkillRevision[] {
    const digests = new Map(plan.accepts.map(({ key, folder }) => [key, digestOf(folder)]))
    const states = plan.states.map(each => ({ ...each, accepted: digests.get(each.key) ?? each.accepted }))
    return store.commit({ revisions: plan.revisions, states })
  }

  /** Remove temporary files. Leftovers are harmless. */
  function cleanUp(plan: WritePlan): void {
    for (const area of plan.areas) tryOrReport(() => disk.remove(area))
    // Remove emptied folders: those of removed files, and categories without a skill.
    for (const { from, unique, within } of plan.steps) if (unique === 'to') prune(dirname(from), within)
  }

  function abandon(plan: WritePlan): void {
    clear(plan)
    isGivenUp = true
    finishInterrupted()
  }

  /** Remove the prepared files of an abandoned change. */
  function clear(plan: WritePlan): void {
    for (const area of plan.areas) tryOrReport(() => disk.remove(area))
    const own = plan.archive === null ? undefined : join(archive.root, plan.archive)
    // Keep a skill that already reached its folder.
    if (own !== undefined && !plan.steps.some(({ to }) => to.startsWith(own + sep) && existsSync(to)))
      tryOrReport(() => disk.remove(own))
    for (const folder of plan.folders.toReversed()) tryFs(() => rmdirSync(folder))
  }

  /** Finish or roll back an interrupted change. False if that failed. */
  function finishInterrupted(): boolean {
    const kept = store.pending()
    if (kept === undefined) return true
    const { phase, plan } = JSON.parse(kept) as Pending
    const laidOut = [...plan.areas, ...(plan.archive === null ? [] : [join(archive.root, plan.archive)])]
    const refused = refusalOf(() => {
      // If prepared files are missing, the change was already rolled back.
      if (isGivenUp || phase === 'preparing' || !laidOut.every(path => existsSync(path))) {
        clear(plan)
        store.giveUp()
      } else {
        for (const step of plan.steps) if (isPending(step)) move(step)
        syncEnds(plan.steps)
        commit(plan)
        cleanUp(plan)
      }
      isGivenUp = false
    })
    if (refused) report(new Error(refused.refused))
    return !refused
  }

  /** Remove temporary folders that a crash left after the last change. */
  function removeLeftovers(): void {
    const [last] = store.history({ limit: 1 }).revisions
    const parents = new Set(roots().map(each => each.folder))
    for (const { key, folder } of roots())
      if (last?.skillId.startsWith(`${key}/`))
        parents.add(dirname(join(folder, last.skillId.slice(key.length))))
    for (const parent of parents)
      for (const name of tryFs(() => readdirSync(parent)) ?? [])
        if (name.startsWith('.changing-change_')) tryOrReport(() => disk.remove(join(parent, name)))
  }

  function tryOrReport(work: () => void): void {
    const refused = refusalOf(work)
    if (refused) report(new Error(refused.refused))
  }

  return { write }
}

/** Whether a rename of an interrupted change is still pending. A file that has changed since is kept. */
function isPending({ from, to, unique, old }: RenameStep): boolean {
  if (unique === 'to') return existsSync(from) && !existsSync(to)
  if (!existsSync(from)) return false
  if (old === null) return !existsSync(to)
  return tryFs(() => readFileSync(to))?.equals(readFileSync(old)) ?? false
}

/** Remove a folder and its parents while they are empty, up to a folder that must stay. */
function prune(folder: string, within: string): void {
  for (let at = folder; at.startsWith(within + sep); at = dirname(at)) {
    tryFs(() => rmdirSync(at))
    if (existsSync(at)) return
  }
}

/** Make renames durable. */
function syncEnds(steps: readonly RenameStep[]): void {
  const folders = new Set(steps.flatMap(({ from, to }) => [dirname(from), dirname(to)]))
  for (const folder of folders) if (existsSync(folder)) syncFolder(folder)
}

/** The part of a plan that is needed to clean up a change that was never carried out. */
const withoutSteps = (plan: WritePlan): WritePlan => ({
  ...plan,
  steps: [],
  revisions: [],
  states: [],
  accepts: [],
})

/** The refusal for an error of the disk or the store; undefined on success. */
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
    // Name the skill's folder instead of the temporary one.
    const place = path.replace(/[/\\]\.changing-.*$/, '')
    return {
      refused: `Not saved: ${place} cannot be written (${reasonOf(code)}). What was there is unchanged.`,
    }
  }
}
