import { z } from 'zod'

/**
 * How a model picks its words, and how much it writes. The options of the model, and then its makers, decide about absent ones. Not
 * every server takes every value; what one refuses is left out.
 */
export const Sampling = z.object({
  temperature: z.number().min(0).max(5).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(1).max(1_000).optional(),
  minP: z.number().min(0).max(1).optional(),
  /** Above 1, words that were written lately become less likely. */
  repeatPenalty: z.number().min(0.1).max(3).optional(),
  /** With the same seed, a local model writes the same answer again. Some servers accept at most 31 bits. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  /** The longest reply, in tokens. */
  maxTokens: z.int().min(16).max(1_000_000).optional(),
})
export type Sampling = z.infer<typeof Sampling>
