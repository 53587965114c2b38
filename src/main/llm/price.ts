import type { Usage } from '../../shared/contract/messages.ts'

/** Dollars for a million tokens, as far as somebody has written them down. */
export type Prices = {
  price_input?: number | undefined
  price_cached?: number | undefined
  price_output?: number | undefined
}

const MILLION = 1_000_000

/**
 * What an answer cost in dollars: what the server says, else what follows from the prices, else null. Without a price of their
 * own, tokens from a cache cost as much as others.
 */
export function costOf(usage: Usage, prices: Prices | undefined): number | null {
  if (usage.costUsd !== undefined) return usage.costUsd
  const { price_input: input, price_output: output, price_cached: cached = input } = prices ?? {}
  if (input === undefined || output === undefined) return null
  const fresh = Math.max(0, usage.promptTokens - usage.reusedTokens)
  return (fresh * input + usage.reusedTokens * (cached ?? input) + usage.outputTokens * output) / MILLION
}
