import { z } from 'zod'
import { MemoryTarget } from '../../shared/contract/memory.ts'

const place = { target: MemoryTarget, project: z.string().nullable() }

/** What keeping a proposal does. Entries and skills go by their ids; texts that are replaced stand in the proposal. */
export const Change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('memory.add'), ...place, text: z.string() }),
  z.object({ kind: z.literal('memory.edit'), id: z.string(), text: z.string() }),
  z.object({ kind: z.literal('memory.remove'), id: z.string() }),
  z.object({
    kind: z.literal('skill.create'),
    name: z.string(),
    category: z.string(),
    text: z.string(),
    despite: z.boolean(),
  }),
  z.object({
    kind: z.literal('skill.save'),
    id: z.string(),
    path: z.string(),
    text: z.string(),
    despite: z.boolean(),
  }),
  z.object({ kind: z.literal('skill.removeFile'), id: z.string(), path: z.string() }),
  z.object({ kind: z.literal('skill.remove'), id: z.string() }),
])
export type Change = z.infer<typeof Change>

/** Something that a review wants to change, before it is a proposal. */
export type Candidate = {
  change: Change
  headline: string
  place: string
  before: string | null
  after: string | null
  /** Why it must be asked, whatever the mode; empty when only the mode says so. */
  because: string
}
