/** How long to skip a model that failed, in ms. One turn asks many times, and each request has its own retries. */
const RETRY_AFTER_MS = 60_000

/** Models that failed recently, and the chats that were notified about it. */
export type UnavailableModels = {
  add(modelId: string, why: string): void
  remove(modelId: string): void
  /** Why a model is skipped at the moment; undefined when it is not. */
  reasonFor(modelId: string): string | undefined
  /** Whether to notify this chat that another model answers. True once per chat and failure. */
  claimNotice(modelId: string, sessionId: string): boolean
}

/** Track the unavailable models. */
export function trackUnavailableModels(now: () => number): UnavailableModels {
  const entries = new Map<string, { until: number; why: string; notified: Set<string> }>()
  return {
    add(modelId, why) {
      const notified = entries.get(modelId)?.notified ?? new Set()
      entries.set(modelId, { until: now() + RETRY_AFTER_MS, why, notified })
    },
    remove: modelId => void entries.delete(modelId),
    reasonFor(modelId) {
      const entry = entries.get(modelId)
      return entry && entry.until > now() ? entry.why : undefined
    },
    claimNotice(modelId, sessionId) {
      const notified = entries.get(modelId)?.notified
      if (!notified || notified.has(sessionId)) return false
      notified.add(sessionId)
      return true
    },
  }
}
