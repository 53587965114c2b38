import type { SkillRevision } from '../../../shared/contract/skills.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { Store } from '../../store/types.ts'
import type { Library, SkillBy, SkillChanged, SkillRefusal, Workshop } from '../types.ts'
import { openArchive } from './archive.ts'
import { judge } from './check-skill.ts'
import { realDisk, type Disk } from './disk.ts'
import { isIdle, openScene } from './draft.ts'
import { openMaker } from './make-change.ts'
import { draftInstall, draftRemoval, draftReset } from './place-skill.ts'
import { openPlaces } from './places.ts'
import { draftVersion } from './restore-version.ts'
import { draftSwitch } from './switch-skills.ts'
import { draftUndo } from './take-back.ts'
import { TooLarge } from './tree.ts'
import { draftFile, draftNew, type Surroundings } from './write-skill.ts'

type Parts = {
  home: string
  library: Library
  store: Store['skills']
  now: () => number
  /** Told of every change. */
  onChange: () => void
  /** Told of what went wrong without keeping a change from being made. */
  report: (error: unknown) => void
  /** Given in tests of full disks and of crashes. */
  disk?: Disk
}

const GONE: SkillRefusal = { refused: 'This skill is not there any more.', conflict: true }

/** Open the workshop of a home folder. A change that a crash interrupted is finished, or taken back, first. */
export function openWorkshop({
  home,
  library,
  store,
  now,
  onChange,
  report,
  disk = realDisk,
}: Parts): Workshop {
  const places = openPlaces(home, library)
  const archive = openArchive(home, disk)
  const maker = openMaker({ roots: places.roots, store, archive, disk, now, report })

  type Plan<T> = (surroundings: Surroundings) => T | SkillRefusal
  type Made<T> = { planned: T; revisions: SkillRevision[] } | SkillRefusal

  /** Plan a change and make it, if it changes anything or is an undo. */
  function change<T>(by: SkillBy, plan: Plan<T>): Made<T> {
    const scene = openScene(store)
    let planned: T | SkillRefusal
    try {
      planned = plan({ library, places, scene })
    } catch (error) {
      return { refused: unread(error) }
    }
    if (isRefusal(planned)) return planned
    const drafts = scene.drafts.filter(draft => draft.revision.undoes !== null || !isIdle(draft))
    if (drafts.length === 0) return { planned, revisions: [] }
    const made = maker.make(drafts, by)
    // What could neither be finished nor taken back may show as well.
    library.changed()
    if ('refused' in made) return made
    onChange()
    return { planned, revisions: made.revisions }
  }

  /** Plan something for each of some skills; one refusal is one for all. */
  const each =
    <T>(
      items: readonly T[],
      plan: (item: T, surroundings: Surroundings) => SkillRefusal | undefined,
    ): Plan<null> =>
    surroundings => {
      for (const item of items) {
        const refused = plan(item, surroundings)
        if (refused) return refused
      }
      return null
    }
  const found = <T>(
    id: string,
    plan: (skill: NonNullable<ReturnType<Library['get']>>) => T,
  ): T | SkillRefusal => {
    const skill = library.get(id)
    return skill ? plan(skill) : GONE
  }
  const changed = (made: Made<{ id: string }>): SkillChanged | SkillRefusal =>
    'refused' in made ? made : { revisions: made.revisions, id: made.planned.id }
  const revised = (made: Made<unknown>): { revisions: SkillRevision[] } | SkillRefusal =>
    'refused' in made ? made : { revisions: made.revisions }
  /** What models take back or restore is judged as if they had written it. */
  const judged = (by: SkillBy, plan: Plan<null>): Plan<null> =>
    by.actor === 'you' || by.actor === 'import'
      ? plan
      : surroundings => {
          const refused = plan(surroundings)
          if (refused) return refused
          for (const { after } of surroundings.scene.drafts) {
            const verdict = after ? judge(after.tree, by, false) : undefined
            if (verdict && 'refused' in verdict) return verdict
          }
          return null
        }

  return {
    create: (skill, by, { despite = false } = {}) =>
      changed(change(by, surroundings => draftNew(skill, by, despite, surroundings))),
    save: ({ id, ...file }, by, { despite = false } = {}) =>
      changed(
        change(by, surroundings =>
          found(id, skill => draftFile(skill.found, file, by, despite, surroundings)),
        ),
      ),
    removeFile: ({ id, path }, by) =>
      changed(
        change(by, surroundings =>
          found(id, skill => draftFile(skill.found, { path, text: null }, by, false, surroundings)),
        ),
      ),
    remove: (ids, by) =>
      revised(
        change(
          by,
          each([...new Set(ids)], (id, surroundings) =>
            found(id, skill => draftRemoval(skill, by, surroundings)),
          ),
        ),
      ),
    reset: (id, by) =>
      revised(
        change(
          by,
          each([id], (_, surroundings) => found(id, skill => draftReset(skill, surroundings))),
        ),
      ),
    setEnabled: (ids, enabled, by, { accept = false } = {}) =>
      revised(
        change(
          by,
          each([...new Set(ids)], (id, surroundings) =>
            found(id, skill => draftSwitch(skill, enabled, by, accept, surroundings)),
          ),
        ),
      ),
    undo(revisionIds, by) {
      const plan = each(
        [...new Set(revisionIds)].toSorted((a, b) => b - a),
        (id, surroundings) => {
          const revision = store.revision(id)
          if (!revision) return { refused: 'This change is not in the history.' }
          return revision.undoneBy === null ? draftUndo(revision, { ...surroundings, archive }) : undefined
        },
      )
      return revised(change(by, judged(by, plan)))
    },
    restore(revisionId, version, by) {
      const plan = each([revisionId], (id, surroundings) => {
        const revision = store.revision(id)
        if (!revision) return { refused: 'This version is not in the history.' }
        return draftVersion(revision, version, by, { ...surroundings, archive, store })
      })
      return revised(change(by, judged(by, plan)))
    },
    install: (fetched, by) => changed(change(by, surroundings => draftInstall(fetched, surroundings))),
  }
}

const isRefusal = (planned: unknown): planned is SkillRefusal =>
  typeof planned === 'object' && planned !== null && 'refused' in planned

/** Why what is there could not be read. */
function unread(error: unknown): string {
  if (error instanceof TooLarge) return `${error.message} is too large to be changed here. Change it by hand.`
  const { code, path = 'The skill' } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return `Not saved: ${path} cannot be read (${reasonOf(code)}). What was there is unchanged.`
}
