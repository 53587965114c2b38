import type { GgufFacts } from './gguf-file.ts'

/**
 * Whether a processor computes attention in tiles; undefined lets the library choose. With small heads the tiles are
 * half empty, and decoding takes two to three times as long.
 */
export const flashAttention = ({ headSize }: Pick<GgufFacts, 'headSize'>): false | undefined =>
  headSize < 64 ? false : undefined
