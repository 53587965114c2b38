import { z } from 'zod'
import { MemoryTarget } from '../../shared/contract/memory.ts'

const place = { target: MemoryTarget, project: z.string().nullable() }

/** What accepting a proposal does. Entries and skills are given by id; replaced texts are stored in the proposal. */
export const ProposedChange = z.discriminatedUnion('kind', [
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
export type ProposedChange = z.infer<typeof ProposedChange>

/** A change that a review wants, before it becomes a proposal. */
export type Candidate = {
  change: ProposedChange
  headline: string
  place: string
  before: string | null
  after: string | null
  /** Why it needs approval in every mode; empty when only the mode requires it. */
  because: string
}
