import type { Proposal, Review } from '../../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import type { Offer } from '../store/chat-state.ts'

type Found = { proposals: readonly Proposal[]; reviews: readonly Review[] }

/** The proposals to show: all pending ones, and those decided while this window showed them. */
export function offersOf(shown: readonly Offer[] | null, { proposals, reviews }: Found): readonly Offer[] {
  const seen = new Set(shown?.map(({ proposal }) => proposal.id))
  const upTo = new Map(reviews.map(review => [review.id, review.upToId]))
  return proposals
    .filter(({ id, state }) => state === 'open' || (state !== 'dropped' && seen.has(id)))
    .map(proposal => ({ proposal, at: newestEvidence(proposal) ?? upTo.get(proposal.reviewId) ?? null }))
    .toSorted((a, b) => a.proposal.at - b.proposal.at)
}

function newestEvidence({ evidence }: Proposal): number | null {
  const ids = evidence.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]))
  return ids.length === 0 ? null : Math.max(...ids)
}

/**
 * Proposals by the id of the message that started their turn. Turns that are not loaded are omitted. Those of
 * the running turn, which `live` started, wait until it ends. Those without a turn go to the newest finished
 * one.
 */
export function offersByTurn(
  messages: readonly Message[],
  offers: readonly Offer[] | null,
  live: number | null,
): Map<number, Proposal[]> {
  const starts = messages.filter(({ role, id }) => role === 'user' && id !== live).map(({ id }) => id)
  const groups = new Map<number, Proposal[]>()
  for (const { proposal, at } of offers ?? []) {
    const start = starts.findLast(id => at === null || id <= at)
    if (start !== undefined) groups.set(start, [...(groups.get(start) ?? []), proposal])
  }
  return groups
}

/** Changes not made by a visible proposal. An accepted proposal shows its change in its own chip. */
export function withoutOffered<R extends { id: number }>(
  changes: readonly R[],
  offers: readonly Offer[] | null,
  which: 'memoryRevisions' | 'skillRevisions',
): readonly R[] {
  const noted = new Set(offers?.flatMap(({ proposal }) => proposal[which]))
  return noted.size === 0 ? changes : changes.filter(({ id }) => !noted.has(id))
}
