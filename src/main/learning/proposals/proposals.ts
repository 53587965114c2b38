import type { LearnedFrom, Proposal } from '../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { refuseUnseen } from '../../../shared/contract/seen.ts'
import { newId } from '../../lib/ids.ts'
import type { ChangedBy, MemoryStep } from '../../memory/plan-change.ts'
import type { Memory } from '../../memory/open-memory.ts'
import { mergeLines } from '../../skills/edits/merge-lines.ts'
import type { Library, SkillBy, SkillEditor } from '../../skills/skill-types.ts'
import type { ForeignSource, ProposalRow, ReviewRow } from '../../db/learning/learning-tables.ts'
import type { Store } from '../../db/store.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import { ProposedChange, type Candidate, evidenceFor, sourceIn } from './proposed-change.ts'
import { gistOf, sameWords } from './learning-rules.ts'

type Parts = {
  store: Store['learning']
  memory: Memory
  library: Library
  editor: SkillEditor
  now(): number
}

/** Revisions made by accepting proposals. */
export type AcceptedRevisions = { memoryRevisions: number[]; skillRevisions: number[] }

/** Used instead of a review id if the agent made the proposal while answering. */
export const FROM_CHAT = ''

const STALE_MS = 30 * 24 * 60 * 60_000

/** Create the service for proposals: add, list, accept, reject and undo them. */
export function createProposals({ store, memory, library, editor, now }: Parts) {
  /** The current text that a proposal is about; null if there is none. */
  function present(change: ProposedChange, entries = memory.view().entries): string | null {
    switch (change.kind) {
      case 'memory.edit':
      case 'memory.remove':
        return entries.find(entry => entry.id === change.id)?.text ?? null
      case 'skill.save':
      case 'skill.removeFile':
        return fileOf(change.id, change.path)
      case 'skill.remove':
        return library.read(change.id) ?? null
      case 'memory.add':
      case 'skill.create':
        return null
    }
  }

  function fileOf(id: string, path: string): string | null {
    if (path === 'SKILL.md') return library.read(id) ?? null
    const file = library.file(id, path)
    return isRefusal(file) ? null : new TextDecoder().decode(file.bytes)
  }

  function show(rows: readonly ProposalRow[]): Proposal[] {
    const { entries } = memory.view()
    return rows.map(row => {
      const { change: _change, ...proposal } = row
      const review = store.review(row.reviewId)
      const isOpen = row.state === 'open'
      const current = isOpen ? present(changeOf(row), entries) : row.before
      return {
        ...proposal,
        changed: current === row.before ? null : (current ?? ''),
        isStale: isOpen && now() - row.at > STALE_MS,
        trigger: row.reviewId === FROM_CHAT ? 'chat' : (review?.trigger ?? 'events'),
        ...(review?.foreign && { from: sourceOf(review.foreign) }),
        cost: review?.cost ?? null,
        seen: hashRow(row),
      }
    })
  }
  const shown = (row: ProposalRow): Proposal => show([row])[0]!

  function rowOf(id: string): ProposalRow {
    const row = store.proposal(id)
    if (!row) throw new Fault('not_found', 'This proposal no longer exists.')
    return row
  }

  /**
   * Add what a review wants to change; `messages` are those it may be based on. False if an identical
   * proposal is open. If the same review revises its earlier proposal for the same text, the old one is
   * replaced.
   */
  function add(
    candidate: Candidate,
    review: Pick<ReviewRow, 'id' | 'sessionId'>,
    messages: readonly Message[],
  ): ProposalRow | false {
    const { change, ...rest } = candidate
    const isMemory = change.kind.startsWith('memory.')
    const kind = isMemory ? 'memory' : 'skill'
    const open = store.proposals({ state: 'open' })
    if (open.some(each => isTwin(each, candidate))) return false
    const earlier = open.find(
      each =>
        each.reviewId === review.id &&
        each.sessionId === review.sessionId &&
        isFor(each, change) &&
        each.before === candidate.before,
    )
    const again = earlier && joined(earlier, candidate)
    if (again) {
      store.putProposals([again])
      return again
    }
    const evidence = evidenceFor(gistOf({ ...candidate, isMemory }), messages)
    const row: ProposalRow = {
      ...rest,
      id: newId('prop', now),
      reviewId: review.id,
      sessionId: review.sessionId,
      kind,
      op: OPS[change.kind],
      change: JSON.stringify(change),
      // Messages of another agent have no ids in our store.
      evidence: review.sessionId === null ? evidence.map(each => ({ ...each, messageId: null })) : evidence,
      state: 'open',
      at: now(),
      decidedAt: null,
      memoryRevisions: [],
      skillRevisions: [],
    }
    store.putProposals([row])
    return row
  }

  /**
   * Accept proposals one by one; `text` rewords a single proposal. If one fails, the others are still
   * accepted. With `seen`, accept only those that still have the hash given for their id: reviews may reword
   * them.
   */
  function accept(ids: readonly string[], text?: string, seen?: SeenById): AcceptedRevisions {
    if (text !== undefined && ids.length !== 1)
      throw new Fault('bad_input', 'You can edit only one proposal at a time.')
    const decided: AcceptedRevisions = { memoryRevisions: [], skillRevisions: [] }
    const faults: Fault[] = []
    for (const row of ids.map(rowOf)) {
      if (row.state !== 'open') continue
      try {
        if (seen) refuseUnseen(seen[row.id] ?? '', hashRow(row), 'This proposal')
        const revisions = keepOne(row, text)
        decided.memoryRevisions.push(...revisions.memoryRevisions)
        decided.skillRevisions.push(...revisions.skillRevisions)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        faults.push(error)
      }
    }
    const [first] = faults
    if (!first) return decided
    throw ids.length === 1
      ? first
      : new Fault(first.code, `${faults.length} of ${ids.length} were not kept. ${first.message}`)
  }

  function keepOne(row: ProposalRow, text: string | undefined): AcceptedRevisions {
    const change = withText(changeOf(row), text)
    if (present(change) !== row.before)
      throw new Fault(
        'conflict',
        'The text that this proposal changes has been edited since. Compare again, or drop the proposal.',
      )
    const revisions = apply(row, change, text !== undefined && text !== row.after)
    const reworded = text !== undefined && {
      after: text,
      change: JSON.stringify(change),
      // For memory, the headline is the sentence itself.
      ...(row.kind === 'memory' && { headline: text }),
    }
    store.putProposals([{ ...row, ...reworded, ...revisions, state: 'kept', decidedAt: now() }])
    return revisions
  }

  function apply(row: ProposalRow, change: ProposedChange, isReworded: boolean): AcceptedRevisions {
    const { sessionId, reviewId } = row
    const messageId = sourceIn(row.evidence)
    const actor = isReworded ? 'you' : reviewId === FROM_CHAT ? 'agent' : 'review'
    const by: ChangedBy = { actor, sessionId, messageId, reviewId }
    const skillBy: SkillBy = { ...by, actor, note: row.headline }
    const step = stepOf(change)
    const outcome = step ? memory.change([step], by) : changeSkill(change, row, skillBy)
    if (isRefusal(outcome)) throw new Fault(outcome.conflict ? 'conflict' : 'bad_input', outcome.refused)
    const ids = outcome.revisions.map(each => each.id)
    return step ? { memoryRevisions: ids, skillRevisions: [] } : { memoryRevisions: [], skillRevisions: ids }
  }

  function changeSkill(change: ProposedChange, row: ProposalRow, by: SkillBy) {
    switch (change.kind) {
      case 'skill.create':
        return editor.create(change, by, { despite: change.despite })
      case 'skill.save': {
        const { id, path, text } = change
        return editor.save({ id, path, text, expected: row.before }, by, { despite: change.despite })
      }
      case 'skill.removeFile':
        return editor.removeFile(change, by)
      case 'skill.remove':
        return editor.remove([change.id], by)
      default:
        throw new Error(`${change.kind} is no change of a skill.`)
    }
  }

  function reject(ids: readonly string[]): ProposalRow[] {
    const rows = ids.map(rowOf).filter(row => row.state === 'open')
    store.putProposals(rows.map(row => ({ ...row, state: 'rejected', decidedAt: now() })))
    return rows
  }

  /**
   * Rebase a proposal on the current text of its target. Lines of a skill changed meanwhile are kept; if the
   * proposal changes the same lines, that is a conflict. Additions need no rebase.
   */
  function compareAgain(id: string): Proposal {
    const row = rowOf(id)
    const change = changeOf(row)
    const before = present(change)
    if (row.state !== 'open' || before === row.before) return shown(row)
    if (before === null || before === row.after) {
      store.putProposals([{ ...row, state: 'dropped', decidedAt: now() }])
      throw new Fault(
        'conflict',
        before === null
          ? 'The text that this proposal changes no longer exists, so the proposal was dropped.'
          : 'The text already says this, so the proposal was dropped.',
      )
    }
    const again = pinnedTo(row, change, before)
    if (!again)
      throw new Fault(
        'conflict',
        'The same lines have been edited since, so the changes cannot be merged. Drop the proposal.',
      )
    store.putProposals([again])
    return shown(again)
  }

  /** Mark proposals as undone. */
  function undone(rows: readonly ProposalRow[]): void {
    store.putProposals(rows.map(row => ({ ...row, state: 'undone', decidedAt: now() })))
  }

  return { add, show, shown, accept, reject, compareAgain, undone }
}
export type Proposals = ReturnType<typeof createProposals>

const sourceOf = ({ agent, folder, at }: ForeignSource): LearnedFrom => ({ agent, folder, at })

type SeenById = Readonly<Record<string, string>>

/** The hash of the parts of a proposal that a user agrees to. */
const hashRow = ({ id, kind, op, headline, place, before, after, because, change }: ProposalRow): string =>
  hashShown({ id, kind, op, headline, place, before, after, because, change })

const changeOf = (row: ProposalRow): ProposedChange => ProposedChange.parse(JSON.parse(row.change))

/** Whether a proposal is a duplicate. One open proposal per new skill is enough, regardless of its text. */
function isTwin(row: ProposalRow, { change, before, after, place }: Candidate): boolean {
  if (row.op !== OPS[change.kind] || row.place !== place || row.before !== before || !isFor(row, change))
    return false
  return change.kind === 'skill.create' || sameWords(row.after ?? '', after ?? '')
}

/** Whether a proposal targets the same entry, file or place. */
function isFor(row: ProposalRow, change: ProposedChange): boolean {
  const other = changeOf(row)
  if (other.kind !== change.kind) return false
  if (other.kind === 'memory.add') return change.kind === 'memory.add' && other.project === change.project
  if (other.kind === 'skill.create') return change.kind === 'skill.create' && other.name === change.name
  return 'id' in change && other.id === change.id && pathOf(other) === pathOf(change)
}

const pathOf = (change: ProposedChange): string => ('path' in change ? change.path : '')

/** The proposal of the same review merged with the new candidate; undefined if they stay separate. */
function joined(
  row: ProposalRow,
  { change, headline, before, after, because }: Candidate,
): ProposalRow | undefined {
  if (change.kind === 'memory.edit')
    return { ...row, headline, after, because, change: JSON.stringify(change) }
  if (change.kind !== 'skill.save' || before === null || row.after === null) return undefined
  const text = mergeLines({ base: before, ours: row.after, theirs: change.text })
  if (text === undefined) return undefined
  const despite = change.despite || wasDespite(row)
  return {
    ...row,
    after: text,
    because: because || row.because,
    change: JSON.stringify({ ...change, text, despite }),
  }
}

const wasDespite = (row: ProposalRow): boolean => {
  const change = changeOf(row)
  return 'despite' in change && change.despite
}

function pinnedTo(row: ProposalRow, change: ProposedChange, before: string): ProposalRow | undefined {
  if (change.kind === 'memory.remove') return { ...row, before, headline: `Forget: ${before}` }
  if (change.kind !== 'skill.save' || row.before === null) return { ...row, before }
  const text = mergeLines({ base: row.before, ours: before, theirs: change.text })
  return text === undefined
    ? undefined
    : { ...row, before, after: text, change: JSON.stringify({ ...change, text }) }
}

const OPS: Record<ProposedChange['kind'], Proposal['op']> = {
  'memory.add': 'add',
  'memory.edit': 'edit',
  'memory.remove': 'remove',
  'skill.create': 'create',
  'skill.save': 'edit',
  'skill.removeFile': 'remove',
  'skill.remove': 'delete',
}

function withText(change: ProposedChange, text: string | undefined): ProposedChange {
  if (text === undefined) return change
  if (!('text' in change)) throw new Fault('bad_input', 'This proposal has no text to edit.')
  return { ...change, text }
}

function stepOf(change: ProposedChange): MemoryStep | undefined {
  switch (change.kind) {
    case 'memory.add': {
      const { target, project, text } = change
      return { kind: 'add', target, project, text }
    }
    case 'memory.edit':
      return { kind: 'edit', id: change.id, text: change.text }
    case 'memory.remove':
      return { kind: 'remove', id: change.id }
    default:
      return undefined
  }
}
