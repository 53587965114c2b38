import { z } from 'zod'
import { LeftOut } from '../../../shared/contract/data.ts'
import { partOf } from '../home-parts.ts'

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

const LONGEST = 1_000
const CONTROL = /\p{Cc}/u

/**
 * Why a file of this name can be neither put into a backup nor taken from one, as a phrase; undefined when it can. Writer and
 * reader ask the same, so what is written can be restored, and a name never leads out of the new home.
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
