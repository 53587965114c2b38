import type { ReviewEnd } from './review-queue.ts'

/** Number of void reviews in a row after which reviews with a model pause. */
const MOST_VOID = 2

/** The reason why a review waits, as text for the user. */
export const PAUSED =
  'Reviews with this model are paused, because two in a row gave no usable result. “Review now” tries again. A larger model helps.'

/** Models that currently get no reviews, judged by their newest reviews. */
type ReviewPauses = {
  /** Record that a review with this model has ended. */
  learn(modelId: string | undefined, end: ReviewEnd): void
  /** Whether reviews with this model are paused until the user requests one or Talaria restarts. */
  holds(modelId: string | undefined): boolean
}

/**
 * Count void reviews. A model that cannot review costs minutes of processor time for nothing. One useful
 * review, such as one that the user requested, ends the pause.
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
