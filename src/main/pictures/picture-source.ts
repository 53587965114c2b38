import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../lib/expected-errors.ts'
import type { SentPicture } from '../models/engine.ts'

type Parts = {
  /** The folder in which contents lie under their hashes. */
  folder: string
  descriptionOf(this: void, hash: string): string | undefined
}

const HASH = /^[0-9a-f]{64}$/

/** The pictures of chats as models get them: what was kept of them, which is small and without metadata. */
export function openPictureSource({ folder, descriptionOf }: Parts) {
  return {
    descriptionOf,
    async load(hash: string): Promise<SentPicture | undefined> {
      const bytes = HASH.test(hash) ? await readFile(join(folder, hash)).catch(undefinedIfMissing) : undefined
      const mime = bytes && mimeOf(bytes)
      return mime && { mime, base64: bytes.toString('base64') }
    },
  }
}

/** What is kept of pictures is PNG or JPEG. */
function mimeOf(bytes: Buffer): SentPicture['mime'] | undefined {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png'
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : undefined
}
