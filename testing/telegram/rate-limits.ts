/** How much of something may happen: `burst` at once, and then `each` so many seconds one more. */
export type Limit = { burst: number; each: number }

/** What the server allows a bot. */
export type Limits = { chat: Limit; group: Limit; bot: Limit }

/** About what Telegram tells: one message a second in a chat, 20 a minute in a group, 30 a second in all. */
export const TOLD_LIMITS: Limits = {
  chat: { burst: 3, each: 1 },
  group: { burst: 20, each: 3 },
  bot: { burst: 30, each: 1 / 30 },
}

type Bucket = { tokens: number; at: number; closedUntil: number }

/**
 * Buckets of tokens. A call that finds its bucket empty is told how many seconds to wait, and each call before they are over
 * makes the wait a second longer.
 */
export function makeBuckets(limits: Limits, now: () => number) {
  const buckets = new Map<string, Bucket>()

  /** The seconds to wait before a token of a bucket is free; 0 where one is, which is then taken. */
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
    /** The seconds to wait before a bot may call again; 0 where it may. A chat is given by its id, where the call writes to one. */
    secondsToWait(chat?: number): number {
      const overall = take('bot', limits.bot)
      if (overall > 0 || chat === undefined) return overall
      return take(`chat ${chat}`, chat < 0 ? limits.group : limits.chat)
    },
  }
}
