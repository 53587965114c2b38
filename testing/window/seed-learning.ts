import type { ProposedChange } from '../../src/main/learning/proposals/proposed-change.ts'
import { newId } from '../../src/main/lib/ids.ts'
import type { Place } from './place.ts'
import type { SeededProposal, SeededReview, SeededRule } from './protocol.ts'
import { seedEntry } from './seed-memory.ts'

/** Store a review of a chat in its current state; by default it found nothing worth saving. */
export function seedReview({ store }: Place, { sessionId = null, ...given }: SeededReview): void {
  const at = given.endedAt ?? given.queuedAt ?? Date.now()
  const [newest] = sessionId === null ? [] : store.messages.page(sessionId, { limit: 1 }).messages
  store.learning.putReview({
    id: newId('review'),
    sessionId,
    trigger: 'session_end',
    kinds: ['memory', 'skills'],
    state: 'done',
    upToId: newest?.id ?? 0,
    fromId: 0,
    queuedAt: at,
    startedAt: at,
    endedAt: at,
    attempts: 1,
    outcome: 'qwen3-8b found nothing worth saving.',
    cost: null,
    ...given,
  })
}

/**
 * Store a proposal, open by default. An accepted addition to memory is also made. A missing review is
 * created.
 */
export function seedProposal(place: Place, given: SeededProposal): void {
  const { store } = place
  const at = given.at ?? Date.now()
  const { state = 'open', decidedAt = state === 'open' ? null : at } = given
  const { reviewId = newId('review'), sessionId = null, evidence = [] } = given
  const { kind = 'memory', op = 'add', headline, before = null } = given
  const after = given.after === undefined ? headline : given.after
  const proposal = { kind, op, place: given.place ?? 'About you', before, after }
  if (!store.learning.review(reviewId))
    seedReview(place, { id: reviewId, sessionId, endedAt: at, outcome: '1 proposed.' })
  const revisions = state === 'kept' ? [keptAs(place)] : []
  store.learning.putProposals([
    {
      id: given.id ?? newId('prop'),
      reviewId,
      sessionId,
      ...proposal,
      headline,
      change: JSON.stringify(changeFor(place, proposal)),
      evidence,
      because: given.because ?? '',
      state,
      at,
      decidedAt,
      memoryRevisions: revisions,
      skillRevisions: [],
    },
  ])

  function keptAs(there: Place): number {
    if (kind !== 'memory' || op !== 'add' || after === null) throw new Error('Keep this in the test.')
    const messageId = evidence[0]?.messageId ?? null
    const createdAt = decidedAt ?? at
    return seedEntry(there, { text: after, origin: 'review', sessionId, messageId, reviewId, createdAt })
  }
}

type Wanted = Required<Pick<SeededProposal, 'kind' | 'op' | 'place' | 'before' | 'after'>>

/** The change that the proposal makes, in the product's format. */
function changeFor({ store }: Place, { kind, op, place, before, after }: Wanted): ProposedChange {
  if (kind === 'skill') {
    if (op === 'create')
      return { kind: 'skill.create', name: place, category: '', text: after ?? '', despite: false }
    if (op === 'delete') return { kind: 'skill.remove', id: `own/${place}` }
    return { kind: 'skill.save', id: `own/${place}`, path: 'SKILL.md', text: after ?? '', despite: false }
  }
  if (op === 'add') return { kind: 'memory.add', target: 'user', project: null, text: after ?? '' }
  const entry = store.memory.entries().find(({ text }) => text === before)
  if (!entry) throw new Error(`There is no entry “${before}”.`)
  const { id } = entry
  return op === 'remove' ? { kind: 'memory.remove', id } : { kind: 'memory.edit', id, text: after ?? '' }
}

export function seedRule({ store }: Place, given: SeededRule): void {
  store.learning.putRule({ id: newId('rule'), example: '', at: Date.now(), hits: 0, ...given })
}
