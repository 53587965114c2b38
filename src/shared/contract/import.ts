import { z } from 'zod'
import { call, stream } from '../rpc.ts'

export const ImportKind = z.enum(['hermes', 'chatgpt', 'claude'])
export type ImportKind = z.infer<typeof ImportKind>

/**
 * The contents of a Hermes home folder besides chats and memories. `settings`: those with a counterpart here,
 * and their names there. Keys are masked. `replaces`: Talaria already has one, which is kept in the backups
 * folder (SOUL.md) or replaced (a key).
 */
export const ImportedHome = z.object({
  skills: z.int(),
  settings: z.array(z.object({ from: z.string(), path: z.string(), value: z.unknown() })),
  soul: z.object({ chars: z.int(), replaces: z.boolean() }).nullable(),
  keys: z.array(z.object({ name: z.string(), masked: z.string(), replaces: z.boolean() })),
})
export type ImportedHome = z.infer<typeof ImportedHome>

/**
 * What to import from a Hermes home folder besides chats and memories. Keys are imported only if the user
 * says so.
 */
export const HomeChoice = z.object({
  skills: z.boolean().default(false),
  settings: z.boolean().default(false),
  soul: z.boolean().default(false),
  keys: z.boolean().default(false),
})
export type HomeChoice = z.infer<typeof HomeChoice>

/** The number of things imported from a Hermes home folder. */
export const BroughtHome = z.object({ skills: z.int(), settings: z.int(), soul: z.boolean(), keys: z.int() })
export type BroughtHome = z.infer<typeof BroughtHome>

/** A preview of an import, before anything is written. `skipped` lists what is left out, and why. */
export const ImportPreview = z.object({
  id: z.string(),
  kind: ImportKind,
  path: z.string(),
  sessions: z.int(),
  messages: z.int(),
  memories: z.int(),
  /** The number of sessions that were imported before. */
  known: z.int(),
  titles: z.array(z.string()),
  /** The contents of a Hermes home folder; null for other sources. */
  home: ImportedHome.nullable(),
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
    home: BroughtHome.optional(),
    skipped: z.array(z.object({ what: z.string(), why: z.string(), count: z.int() })),
  }),
])
export type ImportProgress = z.infer<typeof ImportProgress>

/**
 * Import chats and memories from other programs, and skills, settings, SOUL.md and keys from a Hermes home
 * folder. The source is only read. A preview is valid until the host ends.
 */
export const imports = {
  'import.preview': call(z.object({ path: z.string().min(1).max(4_096) }), ImportPreview),
  'import.run': stream(
    z.object({
      id: z.string().min(1).max(100),
      memories: z.boolean().default(true),
      home: HomeChoice.prefault({}),
    }),
    ImportProgress,
  ),
}
