import type { Input } from './input.ts'
import type { KnownTools } from './tools.ts'

/** What every reading routine shares. */
export type Context = {
  input: Input
  tools: KnownTools
  /** Whether the text ended because the model ran out of tokens; settled when the input ends. */
  truncated: boolean
  /** Characters that were read and given back. */
  wasted: number
}

/** Give up an attempt: read on from `from` as if nothing had been read. */
export function rewind(context: Context, from: number): void {
  context.wasted += context.input.at - from
  context.input.at = from
}

/**
 * Whether reading twice is still affordable. Hostile text can make every attempt read far and fail; what attempts may
 * cost is bound to what has been read, so the whole stays linear.
 */
export function canAfford(context: Context): boolean {
  return context.wasted <= 2 * context.input.at + 10_000
}
