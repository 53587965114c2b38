import type { MemoryEntry, MemoryRevision } from '../../shared/contract/memory.ts'
import { isIn, type By, type Refusal, type Step } from '../memory/change.ts'
import type { Memory } from '../memory/memory.ts'
import type { Candidate } from './change.ts'
import { sameWords } from './same-words.ts'

/** What stands between a review and what it wants to change. */
export type Desk = {
  /** Whether even harmless changes wait for the person. */
  asks: boolean
  /** Take a proposal; false when the same one lies there already. */
  propose(candidate: Candidate): boolean
  /** A sentence for the model when the person does not want such a change. */
  refuses(candidate: Candidate): string | undefined
  /** Something was changed without a question. */
  changed(what: { memory?: readonly number[]; skills?: readonly number[] }): void
}

/** Whose words only the person may change without being asked. */
const THEIRS = new Set<MemoryEntry['origin']>(['you', 'file', 'import'])

type Wanted = { step: Step; candidate: Candidate }
type Outcome = { revisions: MemoryRevision[]; same: number }

/**
 * The notebook as a review sees it: what it would change becomes a proposal where the mode asks, and always where it would
 * remove or rewrite what the person wrote. Each change of several is judged for itself.
 */
export function proposingMemory(memory: Memory, desk: Desk): Memory {
  function change(steps: readonly Step[], by: By): Outcome | Refusal {
    const refused = memory.check(steps, by)
    if (refused) return refused
    const { entries } = memory.view()
    const fresh = steps.filter(step => !isKnown(step, entries))
    const outcome: Outcome = { revisions: [], same: steps.length - fresh.length }
    const all = fresh.map((step): Wanted => ({ step, candidate: candidateFor(step, entries, memory) }))
    const wanted: Wanted[] = []
    let unwanted: string | undefined
    for (const each of all) {
      const why = desk.refuses(each.candidate)
      if (why === undefined) wanted.push(each)
      else unwanted = why
    }
    if (unwanted !== undefined && wanted.length === 0) return { refused: unwanted }

    const harmless = desk.asks ? [] : wanted.filter(each => each.candidate.because === '')
    const made =
      harmless.length === 0
        ? outcome
        : memory.change(
            harmless.map(each => each.step),
            by,
          )
    // Without the rest of the batch there may be no room for it; then all of it is for the person.
    const isMade = harmless.length > 0 && !('refused' in made)
    if (isMade) {
      desk.changed({ memory: made.revisions.map(each => each.id) })
      outcome.revisions.push(...made.revisions)
      outcome.same += made.same
    }
    for (const each of wanted) {
      if (isMade && harmless.includes(each)) continue
      if (desk.propose(each.candidate)) outcome.revisions.push(asRevision(each.candidate, by))
      else outcome.same++
    }
    return outcome
  }
  return { ...memory, change }
}

/** Whether the notebook says so already: an entry word for word, or the one that is to be rewritten. */
function isKnown(step: Step, entries: readonly MemoryEntry[]): boolean {
  if (step.kind === 'add') return entries.some(entry => isIn(entry, step) && sameWords(entry.text, step.text))
  if (step.kind !== 'edit') return false
  return entries.some(entry => entry.id === step.id && entry.text === step.text.trim())
}

function candidateFor(
  step: Step,
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
    because: isTheirs(entry, memory) ? `It would ${verb} what you wrote yourself.` : '',
  }
}

/** Whether the person wrote an entry, or the words that it has now. */
function isTheirs(entry: MemoryEntry, memory: Pick<Memory, 'history'>): boolean {
  if (THEIRS.has(entry.origin)) return true
  const { revisions } = memory.history({ entryId: entry.id, limit: 200 })
  const written = revisions.find(
    each => each.undoes === null && each.after === entry.text && each.after !== each.before,
  )
  return written !== undefined && THEIRS.has(written.actor)
}

const placeOf = ({ target, project }: Pick<MemoryEntry, 'target' | 'project'>): string =>
  target === 'user' ? 'About you' : project === null ? 'Notes' : 'Notes of a folder'

/** The tool tells the model that it is done; a proposal is, as far as the model is concerned. */
const asRevision = ({ change, before, after }: Candidate, by: By): MemoryRevision => ({
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
})
