/** How long a model that did not answer is left alone, in milliseconds: a turn asks many times, each with its repetitions. */
const REST_MS = 60_000

/** Models that did not answer a while ago, and the chats that were told so. */
export type Rests = {
  begin(modelId: string, why: string): void
  end(modelId: string): void
  /** Why a model is not asked at the moment. */
  whyNow(modelId: string): string | undefined
  /** Whether a chat is to be told that another model answers; once for each rest. */
  tellsFirst(modelId: string, sessionId: string): boolean
}

/** Keep the rests of all models. */
export function keepRests(now: () => number): Rests {
  const rests = new Map<string, { until: number; why: string; told: Set<string> }>()
  return {
    begin(modelId, why) {
      const told = rests.get(modelId)?.told ?? new Set()
      rests.set(modelId, { until: now() + REST_MS, why, told })
    },
    end: modelId => void rests.delete(modelId),
    whyNow(modelId) {
      const rest = rests.get(modelId)
      return rest && rest.until > now() ? rest.why : undefined
    },
    tellsFirst(modelId, sessionId) {
      const told = rests.get(modelId)?.told
      if (!told || told.has(sessionId)) return false
      told.add(sessionId)
      return true
    },
  }
}
