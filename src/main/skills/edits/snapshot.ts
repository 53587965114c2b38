import type { SkillRevision } from '../../../shared/contract/skills.ts'
import type { SkillState, Store } from '../../store/types.ts'
import type { Trace, Whereabouts } from './archive.ts'
import { differing, EMPTY, readTree, type Tree } from './tree.ts'

export type Placed = { folder: string; tree: Tree }

/** What is to become of one skill. Where it is before and after decides what is done on the disk. */
export type Draft = {
  kind: Trace['kind']
  before: Placed | null
  after: Placed | null
  /** What the log shows, where that is not what was and is in the folder. */
  shown?: { before: Tree; after: Tree }
  revision: Pick<SkillRevision, 'key' | 'name' | 'op' | 'undoes'> & { skillId: string }
  /** What is known afterwards, as far as that changes. */
  states?: readonly SkillState[]
  /** The key of the state that accepts the content as it will be. */
  accepts?: string | undefined
  movedFrom?: Whereabouts | null
  copyOf?: string | null
}

/** A draft with what was known before it. */
export type PlannedDraft = Draft & { statesBefore: readonly SkillState[] }

/** How everything is after the drafts so far; later ones build on it. Nothing of it is on the disk yet. */
export type Scene = {
  readonly drafts: readonly PlannedDraft[]
  tree(folder: string): Tree | undefined
  state(key: string): SkillState
  add(draft: Draft): void
}

export const blankState = (key: string): SkillState => ({
  key,
  enabled: null,
  accepted: null,
  author: null,
  source: null,
})

/** Begin to plan a change. */
export function openScene(store: Pick<Store['skills'], 'states'>): Scene {
  const drafts: PlannedDraft[] = []
  const trees = new Map<string, Tree | undefined>()
  let states: Map<string, SkillState> | undefined
  const known = () => (states ??= new Map(store.states()))
  const state = (key: string) => known().get(key) ?? blankState(key)

  return {
    drafts,
    tree(folder) {
      if (!trees.has(folder)) trees.set(folder, readTree(folder))
      return trees.get(folder)
    },
    state,
    add(draft) {
      const changed = (draft.states ?? []).filter(
        each => draft.accepts === each.key || JSON.stringify(each) !== JSON.stringify(state(each.key)),
      )
      drafts.push({ ...draft, states: changed, statesBefore: changed.map(({ key }) => state(key)) })
      for (const each of changed) known().set(each.key, each)
      if (draft.before) trees.set(draft.before.folder, undefined)
      if (draft.after) trees.set(draft.after.folder, draft.after.tree)
    },
  }
}

/** Whether a draft would change anything. */
export const isIdle = ({ before, after, states }: PlannedDraft): boolean =>
  before?.folder === after?.folder &&
  differing(before?.tree ?? EMPTY, after?.tree ?? EMPTY).length === 0 &&
  (states ?? []).length === 0
