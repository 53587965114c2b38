import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../lib/expected-errors.ts'
import type { SentPicture } from '../models/interface/engine.ts'

type Parts = {
  /** The folder that stores contents under their hashes. */
  folder: string
  descriptionOf(this: void, hash: string): string | undefined
}

const HASH = /^[0-9a-f]{64}$/

/** Open the pictures of chats in the form sent to models: the stored versions, small and without metadata. */
export function openPictureSource({ folder, descriptionOf }: Parts) {
  /** Pictures of chats that exist only in memory, with the number of holders. */
  const held = new Map<string, { picture: SentPicture; times: number }>()
  return {
    descriptionOf,
    /** Keep a picture available until each hold is released. Nothing is written. */
    hold(bytes: Uint8Array): Disposable & { hash: string } {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const buffer = Buffer.from(bytes)
      const mime = mimeOf(buffer)
      if (!mime) throw new Error('Only what was made for models is held.')
      const known = held.get(hash) ?? { picture: { mime, base64: buffer.toString('base64') }, times: 0 }
      known.times++
      held.set(hash, known)
      return {
        hash,
        [Symbol.dispose]() {
          if (--known.times === 0) held.delete(hash)
        },
      }
    },
    async load(hash: string): Promise<SentPicture | undefined> {
      const inMemory = held.get(hash)?.picture
      if (inMemory) return inMemory
      const bytes = HASH.test(hash) ? await readFile(join(folder, hash)).catch(undefinedIfMissing) : undefined
      const mime = bytes && mimeOf(bytes)
      return mime && { mime, base64: bytes.toString('base64') }
    },
  }
}

/** The type of a stored picture, which is PNG or JPEG. */
function mimeOf(bytes: Buffer): SentPicture['mime'] | undefined {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png'
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : undefined
}
