import { z } from 'zod'
import { call, stream } from '../rpc.ts'

export const ImportKind = z.enum(['hermes', 'chatgpt', 'claude'])
export type ImportKind = z.infer<typeof ImportKind>

/** A preview of an import, before anything is written. `skipped` lists what is left out, and why. */
export const ImportPreview = z.object({
  id: z.string(),
  kind: ImportKind,
  path: z.string(),
  sessions: z.int(),
  messages: z.int(),
  memories: z.int(),
  /** Sessions that were imported before. */
  known: z.int(),
  titles: z.array(z.string()),
  skipped: z.array(z.object({ what: z.string(), why: z.string(), count: z.int() })),
})
export type ImportPreview = z.infer<typeof ImportPreview>

export const ImportProgress = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.int(), total: z.int() }),
  z.object({
    type: z.literal('done'),
    sessions: z.int(),
    messages: z.int(),
    memories: z.int(),
    skipped: z.array(z.object({ what: z.string(), why: z.string(), count: z.int() })),
  }),
])
export type ImportProgress = z.infer<typeof ImportProgress>

/** Import chats and memories of other programs. The source is only read. A preview is valid until the host ends. */
export const imports = {
  'import.preview': call(z.object({ path: z.string().min(1).max(4_096) }), ImportPreview),
  'import.run': stream(
    z.object({ id: z.string().min(1).max(100), memories: z.boolean().default(true) }),
    ImportProgress,
  ),
}
