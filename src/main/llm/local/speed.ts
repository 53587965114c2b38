/** Tokens a second; 0 when there is nothing to measure. */
export const speedOf = (tokens: number, ms: number): number =>
  tokens > 0 && ms > 0 ? (tokens * 1_000) / ms : 0
