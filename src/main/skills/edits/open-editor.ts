import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { reasonOf, isRefusal } from '../../lib/expected-errors.ts'
import type { Store } from '../../db/store.ts'
import type {
  Library,
  LibrarySkill,
  SkillBy,
  SkillChanged,
  SkillRefusal,
  SkillEditor,
} from '../skill-types.ts'
import { openArchive } from './archive.ts'
import { checkSafety } from './refuse-edit.ts'
import { realDisk, type Disk, TooLarge } from './folder-tree.ts'
import { changesNothing, takeSnapshot } from './skill-snapshot.ts'
import { openChangeWriter } from './write-changes.ts'
import { planInstall, planPin, planRemoval, planReset, planSwitch } from './manage-skill.ts'
import { openPlaces } from './skill-folders.ts'
import { planRestore } from './restore-version.ts'
import { planUndo } from './undo-revision.ts'
import { planFileChange, planNewSkill, type EditContext } from './edit-skill.ts'

type Parts = {
  home: string
  library: Library
  store: Store['skills']
  now: () => number
  /** Called after every change. */
  onChange: () => void
  /** Called with errors that did not prevent the change. */
  report: (error: unknown) => void
  /** Replaced in tests of full disks and crashes. */
  disk?: Disk
}

const GONE: SkillRefusal = { refused: 'This skill is not there any more.', conflict: true }

/**
 * Open the skill editor of a home folder. First it finishes or rolls back a change that a crash interrupted.
 * Each change is planned on a snapshot and then written as one transaction.
 */
export function openSkillEditor({
  home,
  library,
  store,
  now,
  onChange,
  report,
  disk = realDisk,
}: Parts): SkillEditor {
  const places = openPlaces(home, library)
  const archive = openArchive(home, disk)
  const writer = openChangeWriter({ roots: places.roots, store, archive, disk, now, report })

  /** Plan a change and write it. A change without an effect is skipped, unless it is an undo. */
  function applyChange<T>(by: SkillBy, plan: PlanWith<T>): Applied<T> {
    const snapshot = takeSnapshot(store)
    let planned: T | SkillRefusal
    try {
      planned = plan({ library, places, snapshot })
    } catch (error) {
      return { refused: explainReadError(error) }
    }
    if (isRefusal(planned)) return planned
    const changes = snapshot.changes.filter(each => each.revision.undoes !== null || !changesNothing(each))
    if (changes.length === 0) return { planned, revisions: [] }
    const written = writer.write(changes, by)
    // A change that could be neither finished nor rolled back is visible, too.
    library.changed()
    if (isRefusal(written)) return written
    onChange()
    return { planned, revisions: written.revisions }
  }

  /** Plan with the skill of an id, or refuse if it is gone. */
  function withSkill<T>(id: string, plan: (skill: LibrarySkill) => T): T | SkillRefusal {
    const skill = library.get(id)
    return skill ? plan(skill) : GONE
  }

  return {
    create: (skill, by, { despite = false } = {}) =>
      toChangedSkill(applyChange(by, context => planNewSkill(skill, by, despite, context))),
    save: ({ id, ...file }, by, { despite = false } = {}) =>
      toChangedSkill(
        applyChange(by, context =>
          withSkill(id, ({ found }) => planFileChange(found, file, by, despite, context)),
        ),
      ),
    removeFile: ({ id, path }, by) =>
      toChangedSkill(
        applyChange(by, context =>
          withSkill(id, ({ found }) => planFileChange(found, { path, text: null }, by, false, context)),
        ),
      ),
    remove(ids, by) {
      const plan = planForEach([...new Set(ids)], (id, context) =>
        withSkill(id, skill => planRemoval(skill, by, context)),
      )
      return toRevisions(applyChange(by, plan))
    },
    reset: (id, by) =>
      toRevisions(applyChange(by, context => withSkill(id, skill => planReset(skill, context)) ?? null)),
    setEnabled(ids, enabled, by, { accept = false, seen = {} } = {}) {
      const plan = planForEach([...new Set(ids)], (id, context) =>
        withSkill(id, skill => planSwitch(skill, enabled, by, { accept, seen: seen[id] }, context)),
      )
      return toRevisions(applyChange(by, plan))
    },
    setPinned(ids, pinned, by) {
      const plan = planForEach([...new Set(ids)], (id, context) =>
        withSkill(id, skill => planPin(skill, pinned, by, context)),
      )
      return toRevisions(applyChange(by, plan))
    },
    undo(revisionIds, by) {
      const newestFirst = [...new Set(revisionIds)].toSorted((a, b) => b - a)
      const plan = planForEach(newestFirst, (id, context) => {
        const revision = store.revision(id)
        if (!revision) return { refused: 'This change is not in the history.' }
        return revision.undoneBy === null ? planUndo(revision, { ...context, archive }) : undefined
      })
      return toRevisions(applyChange(by, withSafetyCheck(by, plan)))
    },
    restore(revisionId, version, by) {
      const plan: PlanWith<null> = context => {
        const revision = store.revision(revisionId)
        if (!revision) return { refused: 'This version is not in the history.' }
        return planRestore(revision, version, by, { ...context, archive, store }) ?? null
      }
      return toRevisions(applyChange(by, withSafetyCheck(by, plan)))
    },
    install: (fetched, by) => toChangedSkill(applyChange(by, context => planInstall(fetched, context))),
  }
}

type PlanWith<T> = (context: EditContext) => T | SkillRefusal
type Applied<T> = { planned: T; revisions: SkillRevision[] } | SkillRefusal

/** Plan for each of several items. One refusal refuses them all. */
const planForEach =
  <T>(
    items: readonly T[],
    plan: (item: T, context: EditContext) => SkillRefusal | undefined,
  ): PlanWith<null> =>
  context => {
    for (const item of items) {
      const refused = plan(item, context)
      if (refused) return refused
    }
    return null
  }

/** Text that a model restores by undo must pass the same scan as text that it writes. */
const withSafetyCheck = (by: SkillBy, plan: PlanWith<null>): PlanWith<null> =>
  by.actor === 'you' || by.actor === 'import'
    ? plan
    : context => {
        const refused = plan(context)
        if (refused) return refused
        for (const { after } of context.snapshot.changes) {
          const safety = after ? checkSafety(after.tree, by, false) : undefined
          if (safety && isRefusal(safety)) return safety
        }
        return null
      }

const toChangedSkill = (applied: Applied<{ id: string; note?: string }>): SkillChanged | SkillRefusal =>
  isRefusal(applied) ? applied : { revisions: applied.revisions, ...applied.planned }
const toRevisions = (applied: Applied<unknown>): { revisions: SkillRevision[] } | SkillRefusal =>
  isRefusal(applied) ? applied : { revisions: applied.revisions }

function explainReadError(error: unknown): string {
  if (error instanceof TooLarge) return `${error.message} is too large to be changed here. Change it by hand.`
  const { code, path = 'The skill' } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return `Not saved: ${path} cannot be read (${reasonOf(code)}). What was there is unchanged.`
}
