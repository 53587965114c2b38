/** A rate limit: `burst` calls at once, then one more every `each` seconds. */
export type Limit = { burst: number; each: number }

/** The rate limits for a bot. */
export type Limits = { chat: Limit; group: Limit; bot: Limit }

/**
 * Roughly what Telegram documents: one message a second in a chat, 20 a minute in a group, 30 a second in
 * total.
 */
export const TOLD_LIMITS: Limits = {
  chat: { burst: 3, each: 1 },
  group: { burst: 20, each: 3 },
  bot: { burst: 30, each: 1 / 30 },
}

type Bucket = { tokens: number; at: number; closedUntil: number }

/**
 * Token buckets. A call that finds its bucket empty is told how many seconds to wait. Each call before that
 * time makes the wait one second longer.
 */
export function makeBuckets(limits: Limits, now: () => number) {
  const buckets = new Map<string, Bucket>()

  /** Take a token from a bucket. Returns 0, or the seconds to wait if the bucket is empty. */
  function take(key: string, { burst, each }: Limit): number {
    const bucket = buckets.get(key) ?? { tokens: burst, at: now(), closedUntil: 0 }
    buckets.set(key, bucket)
    if (bucket.closedUntil > now()) {
      bucket.closedUntil += 1_000
      return Math.ceil((bucket.closedUntil - now()) / 1_000)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (now() - bucket.at) / 1_000 / each)
    bucket.at = now()
    // The sum of many parts of a second falls short of a whole token by less than this.
    if (bucket.tokens >= 1 - 1e-6) {
      bucket.tokens -= 1
      return 0
    }
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) * each))
    bucket.closedUntil = now() + seconds * 1_000
    return seconds
  }

  return {
    /**
     * The seconds to wait before a bot may call; 0 if it may call now. `chat`: the id of the chat that the
     * call writes to.
     */
    secondsToWait(chat?: number): number {
      const overall = take('bot', limits.bot)
      if (overall > 0 || chat === undefined) return overall
      return take(`chat ${chat}`, chat < 0 ? limits.group : limits.chat)
    },
  }
}
