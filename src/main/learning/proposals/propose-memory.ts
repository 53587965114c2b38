import type { MemoryEntry, MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import { type ChangedBy, type MemoryRefusal, type MemoryStep } from '../../memory/plan-change.ts'
import { isIn } from '../../memory/note-files.ts'
import { sameWording } from '../../memory/alike/same-fact.ts'
import type { Memory } from '../../memory/open-memory.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { holdsPrivate } from '../../untrusted/secrets/personal-secrets.ts'
import type { Candidate } from './proposed-change.ts'

/** Receives the changes that a review wants, and decides what happens to them. */
export type ProposalSink = {
  /** Whether even harmless changes need the user's approval. */
  asks: boolean
  /** Add a proposal; false if an identical one is already open. */
  propose(candidate: Candidate): boolean
  /** The reason to give the model if the user does not want such a change. */
  refuses(candidate: Candidate): string | undefined
  /** Called if a text is refused because it contains a key or a password. These are never stored. */
  heldBack(text: string): void
  /** Called after a change was made without approval. */
  changed(what: { memory?: readonly number[]; skills?: readonly number[] }): void
}

/** Origins of entries that count as the user's own words; changing those always needs approval. */
const USER_ORIGINS = new Set<MemoryEntry['origin']>(['you', 'file', 'import'])

type Wanted = { step: MemoryStep; candidate: Candidate }
type Outcome = { revisions: MemoryRevision[]; same: number }

/**
 * The memory tool's view of the notebook during a review. A change becomes a proposal if the mode asks, and
 * always if it would remove or rewrite the user's own words. Each step of a batch is judged separately.
 */
export function proposalMemory(memory: Memory, sink: ProposalSink): Memory {
  function change(steps: readonly MemoryStep[], by: ChangedBy): Outcome | MemoryRefusal {
    const refused = memory.check(steps, by)
    if (refused) {
      for (const step of steps) if ('text' in step && holdsPrivate(step.text)) sink.heldBack(step.text)
      return refused
    }
    const { entries } = memory.view()
    const fresh = steps.filter(step => !isKnown(step, entries))
    const outcome: Outcome = { revisions: [], same: steps.length - fresh.length }
    const all = fresh.map((step): Wanted => ({ step, candidate: candidateFor(step, entries, memory) }))
    const wanted: Wanted[] = []
    let unwanted: string | undefined
    for (const each of all) {
      const why = sink.refuses(each.candidate)
      if (why === undefined) wanted.push(each)
      else unwanted = why
    }
    if (unwanted !== undefined && wanted.length === 0) return { refused: unwanted }

    const harmless = sink.asks ? [] : wanted.filter(each => each.candidate.because === '')
    const made =
      harmless.length === 0
        ? outcome
        : memory.change(
            harmless.map(each => each.step),
            by,
          )
    // Without the rest of the batch these steps may not fit. If so, the user decides on all of them.
    const isMade = harmless.length > 0 && !isRefusal(made)
    if (isMade) {
      sink.changed({ memory: made.revisions.map(each => each.id) })
      outcome.revisions.push(...made.revisions)
      outcome.same += made.same
    }
    for (const each of wanted) {
      if (isMade && harmless.includes(each)) continue
      if (sink.propose(each.candidate)) outcome.revisions.push(asRevision(each.candidate, by))
      else outcome.same++
    }
    return outcome
  }
  return { ...memory, change }
}

/** Whether the step changes nothing: the same entry exists, or already has the new text. */
function isKnown(step: MemoryStep, entries: readonly MemoryEntry[]): boolean {
  if (step.kind === 'add')
    return entries.some(entry => isIn(entry, step) && sameWording(entry.text, step.text))
  if (step.kind !== 'edit') return false
  return entries.some(entry => entry.id === step.id && entry.text === step.text.trim())
}

function candidateFor(
  step: MemoryStep,
  entries: readonly MemoryEntry[],
  memory: Pick<Memory, 'history'>,
): Candidate {
  if (step.kind === 'add') {
    const { target, project, text } = step
    return {
      change: { kind: 'memory.add', target, project, text },
      headline: text,
      place: placeOf({ target, project }),
      before: null,
      after: text,
      because: '',
    }
  }
  const entry = entries.find(each => each.id === step.id)
  if (!entry || (step.kind !== 'edit' && step.kind !== 'remove'))
    throw new Error('A review makes no such change of the notebook.')
  const verb = step.kind === 'edit' ? 'rewrite' : 'remove'
  return {
    change:
      step.kind === 'edit'
        ? { kind: 'memory.edit', id: entry.id, text: step.text }
        : { kind: 'memory.remove', id: entry.id },
    headline: step.kind === 'edit' ? step.text : `Forget: ${entry.text}`,
    place: placeOf(entry),
    before: entry.text,
    after: step.kind === 'edit' ? step.text : null,
    because: isUserWritten(entry, memory) ? `It would ${verb} what you wrote yourself.` : '',
  }
}

/** Whether the user wrote the entry or its current text. */
function isUserWritten(entry: MemoryEntry, memory: Pick<Memory, 'history'>): boolean {
  if (USER_ORIGINS.has(entry.origin)) return true
  const { revisions } = memory.history({ entryId: entry.id, limit: 200 })
  const written = revisions.find(
    each => each.undoes === null && each.after === entry.text && each.after !== each.before,
  )
  return written !== undefined && USER_ORIGINS.has(written.actor)
}

const placeOf = ({ target, project }: Pick<MemoryEntry, 'target' | 'project'>): string =>
  target === 'user' ? 'About you' : project === null ? 'Notes' : 'Notes of a folder'

/**
 * A stand-in for a revision, because the tool reports success to the model if a proposal is added. Only its
 * texts are read. Nothing is stored yet, so `id`, `entryId` and `at` are empty values and must not reach the
 * store or the window.
 */
const asRevision = ({ change, before, after }: Candidate, by: ChangedBy): MemoryRevision => ({
  id: 0,
  entryId: '',
  target: 'target' in change ? change.target : 'user',
  project: null,
  op: before === null ? 'add' : after === null ? 'remove' : 'edit',
  before,
  after,
  ...by,
  at: 0,
  undoes: null,
  undoneBy: null,
  mergeId: null,
})
