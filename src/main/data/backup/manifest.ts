import { z } from 'zod'
import { LeftOut } from '../../../shared/contract/data.ts'

/** The name of the list of contents inside a backup. */
export const MANIFEST = 'talaria-backup.json'
/** Raised when older versions of Talaria can no longer read what is written. */
export const FORMAT = 1
/** The name of the database inside a backup. */
export const DATABASE = 'state.db'
/** The most files in one backup; the directory of a zip is read into memory. */
export const MOST_FILES = 100_000

/** What every version can read of a manifest, to distinguish a newer backup from a foreign file. */
export const AnyManifest = z.looseObject({ talaria: z.literal('backup'), format: z.int(), database: z.int() })

/** What a backup holds, written last into it. Times are epoch milliseconds, sizes are bytes. */
export const Manifest = z.object({
  talaria: z.literal('backup'),
  format: z.int(),
  /** The version of Talaria, and that of its database. */
  version: z.string(),
  database: z.int(),
  /** `daily`: made automatically. */
  kind: z.enum(['daily', 'manual']),
  createdAt: z.number(),
  /** Where the home was. */
  home: z.string(),
  hasKeys: z.boolean(),
  /** The ids of all chats in it, also of those in *Recently deleted*. */
  chats: z.array(z.string()),
  files: z.array(z.object({ name: z.string(), bytes: z.int().min(0) })),
  leftOut: z.array(LeftOut),
})
export type Manifest = z.infer<typeof Manifest>
