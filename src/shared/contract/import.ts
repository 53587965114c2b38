import { z } from 'zod'
import { call, stream } from '../rpc.ts'

export const ImportKind = z.enum(['hermes', 'chatgpt', 'claude'])
export type ImportKind = z.infer<typeof ImportKind>

/** What an import would bring, before anything is written. `skipped` says what is left out, and why. */
export const ImportPreview = z.object({
  id: z.string(),
  kind: ImportKind,
  path: z.string(),
  sessions: z.int(),
  messages: z.int(),
  memories: z.int(),
  /** Sessions that an earlier import has brought already. */
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

/** Bring chats and memories of other programs. A file or folder is only read; a preview is good until the host ends. */
export const transfer = {
  'import.preview': call(z.object({ path: z.string().min(1).max(4_096) }), ImportPreview),
  'import.run': stream(
    z.object({ id: z.string().min(1).max(100), memories: z.boolean().default(true) }),
    ImportProgress,
  ),
}
