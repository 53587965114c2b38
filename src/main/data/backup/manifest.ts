import { z } from 'zod'
import { LeftOut } from '../../../shared/contract/data.ts'
import { partOf } from '../home-parts.ts'

/** The name of the list of contents inside a backup. */
export const MANIFEST = 'talaria-backup.json'
/** Increased when older versions of Talaria can no longer read the backups written. */
export const FORMAT = 1
/** The name of the database inside a backup. */
export const DATABASE = 'state.db'
/** Maximum number of files in one backup; the directory of a zip is read into memory. */
export const MOST_FILES = 100_000

/** The part of a manifest that every version can read, to tell a newer backup from a foreign file. */
export const AnyManifest = z.looseObject({ talaria: z.literal('backup'), format: z.int(), database: z.int() })

/** The contents of a backup, written last. Times are epoch milliseconds, sizes are bytes. */
export const Manifest = z.object({
  talaria: z.literal('backup'),
  format: z.int(),
  /** The version of Talaria, then that of its database. */
  version: z.string(),
  database: z.int(),
  /** `daily`: made automatically. */
  kind: z.enum(['daily', 'manual']),
  createdAt: z.number(),
  /** The path of the backed-up home. */
  home: z.string(),
  hasKeys: z.boolean(),
  /** The ids of all its chats, including those in *Recently deleted*. */
  chats: z.array(z.string()),
  files: z.array(z.object({ name: z.string(), bytes: z.int().min(0) })),
  leftOut: z.array(LeftOut),
})
export type Manifest = z.infer<typeof Manifest>

const LONGEST = 1_000
const CONTROL = /\p{Cc}/u

/**
 * Return why a file name can be neither backed up nor restored, as a phrase; undefined if it can. Writer and
 * reader use the same check, so that every backup can be restored and no name leads out of the new home.
 */
export function nameFlaw(name: string): string | undefined {
  if (name === MANIFEST || name === DATABASE) return undefined
  if (name === '' || name.length > LONGEST) return 'its name is empty or too long'
  if (CONTROL.test(name) || name.includes('\uFFFD')) return 'its name has characters that are not text'
  if (/[\\:]/.test(name)) return 'its name has a “\\” or a “:”'
  const parts = name.split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..')) return 'its name leads elsewhere'
  const part = partOf(parts[0]!)
  return !part || part.inBackup === 'never' ? 'it does not belong in a backup' : undefined
}
