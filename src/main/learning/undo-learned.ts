import type { MemoryRevision } from '../../shared/contract/learned/memory.ts'
import type { ChangedBy } from '../memory/plan-change.ts'
import type { Memory } from '../memory/open-memory.ts'
import type { SkillBy, SkillEditor } from '../skills/skill-types.ts'
import type { ProposalRow } from '../db/learning/learning-tables.ts'
import type { StoredSkillRevision } from '../db/learning/skill-tables.ts'
import type { Store } from '../db/store.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import type { Activity } from './activity-items.ts'
import type { AcceptedRevisions, Proposals } from './proposals/proposals.ts'

/** The changes to undo: single cards, or everything from a review, a chat or since a time. */
export type UndoWhat =
  | { by: 'items'; ids: readonly string[] }
  | { by: 'review' | 'chat'; id: string }
  | { by: 'since'; at: number }

type Parts = {
  store: Pick<Store, 'learning' | 'memory' | 'skills'>
  memory: Memory
  editor: SkillEditor
  activity: Pick<Activity, 'changesOf'>
  proposals: Pick<Proposals, 'undone'>
}

const ALL = { before: Number.MAX_SAFE_INTEGER, limit: 100_000 }
const YOU: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }
const YOU_OF_SKILLS: SkillBy = { ...YOU, actor: 'you', note: '' }

/**
 * Undo what was learned. Changes that cannot be undone, because something changed again since, stay and are
 * listed in `left`. All others are still undone.
 */
export function undoLearned(parts: Parts, what: UndoWhat): AcceptedRevisions & { left: string[] } {
  const { store, memory, editor, proposals } = parts
  const { memoryIds, skillIds, kept } = find(parts, what)
  const done: AcceptedRevisions & { left: string[] } = { memoryRevisions: [], skillRevisions: [], left: [] }
  for (const id of newestFirst(memoryIds)) {
    const outcome = changedSince(parts, id) ?? memory.undo([id], YOU)
    if (isRefusal(outcome)) done.left.push(outcome.refused)
    else done.memoryRevisions.push(...outcome.revisions.map(each => each.id))
  }
  for (const id of newestFirst(skillIds)) {
    const outcome = editor.undo([id], YOU_OF_SKILLS)
    if (isRefusal(outcome)) done.left.push(outcome.refused)
    else done.skillRevisions.push(...outcome.revisions.map(each => each.id))
  }
  const isBack = (row: ProposalRow): boolean =>
    row.memoryRevisions.every(id => store.memory.revision(id)?.undoneBy !== null) &&
    row.skillRevisions.every(id => store.skills.revision(id)?.undoneBy !== null)
  proposals.undone(kept.filter(isBack))
  return done
}

const newestFirst = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => b - a)

/** The reason why a change cannot be undone: the entry has changed again since. */
function changedSince({ store, memory }: Parts, id: number): Refusal | undefined {
  const revision = store.memory.revision(id)
  if (!revision || revision.op === 'move' || revision.op === 'lock' || revision.op === 'unlock')
    return undefined
  const now = memory.view().entries.find(entry => entry.id === revision.entryId)?.text ?? null
  if (now === revision.after) return undefined
  const text = revision.after ?? revision.before ?? ''
  return { refused: `“${text}” has been changed again since, so it stays unchanged.` }
}

function find({ store, activity }: Parts, what: UndoWhat) {
  const { learning } = store
  const kept = learning.proposals({ state: 'kept' }).filter(row => isMeant(row, what))
  const memory = learning.learnedMemory(ALL).filter(each => each.undoneBy === null)
  const skills = learning.learnedSkills(ALL).filter(each => each.undoneBy === null)
  const chosen =
    what.by === 'items'
      ? inCards(activity.changesOf(memory, skills).filter(each => what.ids.includes(each.id)))
      : { memory: memory.filter(each => isOf(each, what)), skills: skills.filter(each => isOf(each, what)) }
  return {
    kept,
    memoryIds: [...chosen.memory.map(each => each.id), ...kept.flatMap(row => row.memoryRevisions)].filter(
      id => store.memory.revision(id)?.undoneBy === null,
    ),
    skillIds: [...chosen.skills.map(each => each.id), ...kept.flatMap(row => row.skillRevisions)].filter(
      id => store.skills.revision(id)?.undoneBy === null,
    ),
  }
}

const inCards = (cards: ReturnType<Activity['changesOf']>) => ({
  memory: cards.flatMap(card => card.memory),
  skills: cards.flatMap(card => card.skills),
})

function isOf(each: MemoryRevision | StoredSkillRevision, what: Exclude<UndoWhat, { by: 'items' }>): boolean {
  switch (what.by) {
    case 'review':
      return each.reviewId === what.id
    case 'chat':
      return each.sessionId === what.id
    case 'since':
      return each.at >= what.at
  }
}

function isMeant(row: ProposalRow, what: UndoWhat): boolean {
  switch (what.by) {
    case 'items':
      return what.ids.includes(row.id)
    case 'review':
      return row.reviewId === what.id
    case 'chat':
      return row.sessionId === what.id
    case 'since':
      return (row.decidedAt ?? row.at) >= what.at
  }
}
