/** Share of the window that the index of skills may take, and the most tokens that it ever takes. */
const SHARE = 0.06
const MOST_TOKENS = 3_000

/** Tokens that the index of skills may take in a window. */
export const indexRoom = (contextTokens: number): number =>
  Math.min(MOST_TOKENS, Math.floor(contextTokens * SHARE))
