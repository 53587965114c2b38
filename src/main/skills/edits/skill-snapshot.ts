import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import type { SkillState } from '../../db/learning/skill-tables.ts'
import type { Store } from '../../db/store.ts'
import type { Trace, SkillLocation } from './archive.ts'
import { differingPaths, EMPTY, readTree, type Tree } from './folder-tree.ts'

export type Placed = { folder: string; tree: Tree }

/** A planned change of one skill. Its folders before and after decide what happens on the disk. */
export type SkillChange = {
  kind: Trace['kind']
  before: Placed | null
  after: Placed | null
  /** The contents to show in the log, if they differ from those of the folder. */
  shown?: { before: Tree; after: Tree }
  revision: Pick<SkillRevision, 'key' | 'name' | 'op' | 'undoes'> & { skillId: string }
  /** Changed states, with their new values. */
  states?: readonly SkillState[]
  /** The key of the state that accepts the new content. */
  accepts?: string | undefined
  movedFrom?: SkillLocation | null
  copyOf?: string | null
}

/** A planned change, with the states before it. */
export type PlannedChange = SkillChange & { statesBefore: readonly SkillState[] }

/** Skills and states as they will be after the changes planned so far. Nothing is on the disk yet. */
export type Snapshot = {
  readonly changes: readonly PlannedChange[]
  tree(folder: string): Tree | undefined
  state(key: string): SkillState
  add(change: SkillChange): void
}

export const blankState = (key: string): SkillState => ({
  key,
  enabled: null,
  accepted: null,
  author: null,
  source: null,
  pinned: false,
})

/** Start planning from what is on the disk now. */
export function takeSnapshot(store: Pick<Store['skills'], 'states'>): Snapshot {
  const changes: PlannedChange[] = []
  const trees = new Map<string, Tree | undefined>()
  let states: Map<string, SkillState> | undefined
  const known = () => (states ??= new Map(store.states()))
  const state = (key: string) => known().get(key) ?? blankState(key)

  return {
    changes,
    tree(folder) {
      if (!trees.has(folder)) trees.set(folder, readTree(folder))
      return trees.get(folder)
    },
    state,
    add(change) {
      const changed = (change.states ?? []).filter(
        each => change.accepts === each.key || JSON.stringify(each) !== JSON.stringify(state(each.key)),
      )
      changes.push({ ...change, states: changed, statesBefore: changed.map(({ key }) => state(key)) })
      for (const each of changed) known().set(each.key, each)
      if (change.before) trees.set(change.before.folder, undefined)
      if (change.after) trees.set(change.after.folder, change.after.tree)
    },
  }
}

/** Whether a change has no effect. */
export const changesNothing = ({ before, after, states }: PlannedChange): boolean =>
  before?.folder === after?.folder &&
  differingPaths(before?.tree ?? EMPTY, after?.tree ?? EMPTY).length === 0 &&
  (states ?? []).length === 0
