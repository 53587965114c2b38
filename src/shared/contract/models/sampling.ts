import { z } from 'zod'

/**
 * Sampling options. Absent options come from the options of the model, then from the defaults of its makers.
 * Values that a server refuses are left out.
 */
export const Sampling = z.object({
  temperature: z.number().min(0).max(5).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(1).max(1_000).optional(),
  minP: z.number().min(0).max(1).optional(),
  /** Above 1, recently written words become less likely. */
  repeatPenalty: z.number().min(0.1).max(3).optional(),
  /** With the same seed, a local model writes the same answer again. Some servers accept at most 31 bits. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  /** Maximum length of a reply, in tokens. */
  maxTokens: z.int().min(16).max(1_000_000).optional(),
})
export type Sampling = z.infer<typeof Sampling>
