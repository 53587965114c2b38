/** Context windows of up to this many tokens get the compact edition. */
const COMPACT_TOKENS = 8_192

/** The edition of the prompt and of the skill index for a context window of this many tokens. */
export const editionFor = (contextTokens: number): 'compact' | 'full' =>
  contextTokens <= COMPACT_TOKENS ? 'compact' : 'full'
