import type { Proposal, Review } from '../../../../shared/contract/learning.ts'
import type { Message } from '../../../../shared/contract/messages.ts'

/** Something that a review of this chat found; `at` is the message whose turn it belongs to, null for the newest one. */
export type Offer = { proposal: Proposal; at: number | null }

type Found = { proposals: readonly Proposal[]; reviews: readonly Review[] }

/** What is shown of what the host says: all that waits, and what was decided while this window showed it. */
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
 * Offers by the id of the message that began their turn. Turns that are not held are left out; one under way, which began
 * with `live`, waits until it is over, and what belongs to no turn stands in the newest one that is.
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

/** The changes that no offer on show has made; what keeping one changed is told by its own chip. */
export function withoutOffered<R extends { id: number }>(
  changes: readonly R[],
  offers: readonly Offer[] | null,
  which: 'memoryRevisions' | 'skillRevisions',
): readonly R[] {
  const told = new Set(offers?.flatMap(({ proposal }) => proposal[which]))
  return told.size === 0 ? changes : changes.filter(({ id }) => !told.has(id))
}
