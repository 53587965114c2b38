import { availableParallelism } from 'node:os'

/** Bytes of weights that a core reads in a second, and the number of cores from which on the memory is what takes the time. */
const EACH_CORE = 4e9
const MOST_CORES = 12

/** Tokens a second below which a model is no longer quick, pleasant to work with, or of use. */
export const PACE = { quick: 8, fair: 3.5, slow: 1.5 } as const

/**
 * Bytes of weights that this processor reads in a second, very roughly: every token of an answer costs reading all weights
 * that take part in it.
 */
export const weightBytesPerSecond = (cores = availableParallelism()): number =>
  Math.min(cores, MOST_CORES) * EACH_CORE
