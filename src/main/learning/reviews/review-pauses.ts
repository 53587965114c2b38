import type { ReviewEnd } from './review-queue.ts'

/** Void reviews in a row after which reviews with a model pause. */
const MOST_VOID = 2

/** Why a review waits, for the person. */
export const PAUSED =
  'Reviews with this model are paused, because two in a row gave no usable result. “Review now” tries again. A larger model helps.'

/** Which models are not asked for reviews for now, by what came of their newest ones. */
type ReviewPauses = {
  /** A review with that model has ended. */
  learn(modelId: string | undefined, end: ReviewEnd): void
  /** Whether reviews with that model wait until the person asks for one, or Talaria starts anew. */
  holds(modelId: string | undefined): boolean
}

/**
 * Keep count of void reviews. A model that cannot do it costs minutes of a processor each time, for nothing. One review that comes
 * to something, such as one that the person asked for, ends the pause.
 */
export function createPauses(): ReviewPauses {
  const inARow = new Map<string, number>()
  return {
    learn(modelId, end) {
      if (modelId === undefined || end.end !== 'done') return
      if (end.isVoid) inARow.set(modelId, (inARow.get(modelId) ?? 0) + 1)
      else inARow.delete(modelId)
    },
    holds: modelId => modelId !== undefined && (inARow.get(modelId) ?? 0) >= MOST_VOID,
  }
}
