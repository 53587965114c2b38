import type { Input } from './input.ts'
import type { KnownTools } from './known-tools.ts'

/** The state shared by all reading routines. */
export type Context = {
  input: Input
  tools: KnownTools
  /** Whether the text ended because the model ran out of tokens; known once the input ends. */
  truncated: boolean
  /** Characters that were read by failed attempts. */
  wasted: number
}

/** Abandon an attempt: continue from `from` as if nothing had been read. */
export function rewind(context: Context, from: number): void {
  context.wasted += context.input.at - from
  context.input.at = from
}

/**
 * Whether another attempt is affordable. Hostile text can make every attempt read far and fail. The cost of attempts
 * is limited by the text read so far, so the total stays linear.
 */
export function canAfford(context: Context): boolean {
  return context.wasted <= 2 * context.input.at + 10_000
}
