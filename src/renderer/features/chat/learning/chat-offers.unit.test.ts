import { expect, test } from 'vitest'
import type { Proposal, Review } from '../../../../shared/contract/learned/learning.ts'
import { aHistory, aRevision } from '../../../test/messages.ts'
import type { Offer } from '../store/chat-state.ts'
import { offersByTurn, offersOf, withoutOffered } from './chat-offers.ts'

const aProposal = (given: Partial<Proposal> = {}): Proposal => ({
  id: 'a',
  reviewId: 'review-1',
  sessionId: 'chat',
  kind: 'memory',
  op: 'add',
  headline: 'You use pnpm',
  place: 'About you',
  before: null,
  after: 'You use pnpm',
  changed: null,
  evidence: [],
  trigger: 'session_end',
  because: '',
  state: 'open',
  isStale: false,
  at: 1,
  decidedAt: null,
  memoryRevisions: [],
  seen: '',
  skillRevisions: [],
  cost: null,
  ...given,
})
const aReview = { id: 'review-1', upToId: 2 } as Review
const from = (messageId: number | null) => ({ messageId, quote: 'pnpm, please' })
const offer = (at: number | null, given: Partial<Proposal> = {}): Offer => ({
  proposal: aProposal(given),
  at,
})
const ids = (offers: readonly Offer[]) => offers.map(({ proposal }) => proposal.id)

test('open proposals are shown, and decided ones only if they were shown before', () => {
  const states = ['open', 'kept', 'rejected', 'undone', 'dropped'] as const
  const proposals = states.map(state => aProposal({ id: state, state }))
  expect(ids(offersOf(null, { proposals, reviews: [] }))).toEqual(['open'])
  const shown = states.map(state => offer(null, { id: state }))
  expect(ids(offersOf(shown, { proposals, reviews: [] }))).toEqual(['open', 'kept', 'rejected', 'undone'])
})

test('an offer belongs to its newest evidence, else to the end of its review, else to nothing', () => {
  const at = (evidence: Proposal['evidence'], reviews: Review[]) =>
    offersOf(null, { proposals: [aProposal({ evidence })], reviews })[0]!.at
  expect(at([from(5), from(null), from(3)], [aReview])).toBe(5)
  expect(at([from(null)], [aReview])).toBe(2)
  expect(at([], [])).toBeNull()
})

test('offers are grouped by loaded, finished turns', () => {
  const messages = aHistory(3).slice(2)
  const offers = [
    offer(1, { id: 'older' }),
    offer(4, { id: 'b' }),
    offer(6, { id: 'c' }),
    offer(null, { id: 'd' }),
  ]
  const groups = (live: number | null) =>
    [...offersByTurn(messages, offers, live)].map(([start, group]) => [start, group.map(({ id }) => id)])
  expect(groups(null)).toEqual([
    [3, ['b']],
    [5, ['c', 'd']],
  ])
  expect(groups(5)).toEqual([[3, ['b', 'c', 'd']]])
  expect([...offersByTurn(messages, null, null)]).toEqual([])
})

test('the changes of a kept offer are not listed again', () => {
  const revisions = [aRevision({ id: 1 }), aRevision({ id: 2 })]
  const offers = [offer(null, { state: 'kept', memoryRevisions: [2], skillRevisions: [1] })]
  expect(withoutOffered(revisions, offers, 'memoryRevisions')).toEqual([revisions[0]])
  expect(withoutOffered(revisions, offers, 'skillRevisions')).toEqual([revisions[1]])
  expect(withoutOffered(revisions, null, 'memoryRevisions')).toBe(revisions)
})
