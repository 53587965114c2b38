import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { AttachmentKind } from '../../shared/contract/chats/attachments.ts'
import { formatBytes } from '../../shared/text/amounts.ts'
import { syncFolder } from '../lib/disk/durable-files.ts'
import {
  fileErrorCode,
  namesIn,
  parseJson,
  reasonOf,
  undefinedIfMissing,
  type Refusal,
} from '../lib/expected-errors.ts'
import type { Reading } from '../documents/document.ts'

/** A written content that has no name yet. It is removed unless `keep` is called. */
type TakenContent = {
  path: string
  hash: string
  bytes: number
  /** Name it, and store its text beside it. Throws system errors. */
  keep(pages: Reading | undefined): Promise<void>
  discard(): Promise<void>
}

/** The contents of attached files, each stored once under its hash, with its extracted text beside it. */
export type KeptContents = {
  /** Write a content. Returns a refusal if it is too large or the disk fails. Throws errors of the source. */
  take(source: AsyncIterable<Uint8Array>): Promise<TakenContent | Refusal>
  pathOf(hash: string): string
  isThere(hash: string): Promise<boolean>
  /** The extracted text of a content; undefined if none is stored. */
  pagesOf(hash: string): Promise<Reading | undefined>
  remove(hash: string): Promise<void>
  /** Remove unused files: unfinished ones, and contents that were detached. */
  tidy(isUsed: (hash: string) => boolean): Promise<void>
}

/** The names of a content's files. */
const namesOfContent = (hash: string): string[] => [hash, `${hash}.json`]

const Kept = z.object({
  kind: AttachmentKind,
  encoding: z.string().optional(),
  pages: z.array(z.object({ n: z.int(), text: z.string() })),
  problems: z.array(z.string()),
})

/** Open the store of contents in a folder, which is created when needed. */
export function openContents(folder: string, mostBytes: number): KeptContents {
  const pathOf = (hash: string) => join(folder, hash)
  const textPath = (hash: string) => join(folder, `${hash}.json`)
  /** Files being written; `tidy` leaves them. */
  const parts = new Set<string>()

  async function writeText(hash: string, pages: Reading) {
    const part = `${textPath(hash)}.${randomBytes(6).toString('hex')}.part`
    parts.add(part)
    try {
      const file = await open(part, 'wx', 0o600)
      try {
        await file.writeFile(JSON.stringify(pages))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, textPath(hash))
    } finally {
      parts.delete(part)
      await rm(part, { force: true })
    }
  }

  function takenOf(part: string, hash: string, bytes: number): TakenContent {
    const discard = async () => {
      parts.delete(part)
      await rm(part, { force: true })
    }
    return {
      path: part,
      hash,
      bytes,
      discard,
      async keep(pages) {
        if (pages) await writeText(hash, pages)
        await rename(part, pathOf(hash))
        parts.delete(part)
        syncFolder(folder)
      },
    }
  }

  return {
    pathOf,
    async take(source) {
      const part = join(folder, `${randomBytes(9).toString('hex')}.part`)
      const cannot = (error: unknown): Refusal => ({
        refused: `It could not be attached, because ${reasonOf(fileErrorCode(error))}.`,
      })
      let file
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        parts.add(part)
        file = await open(part, 'wx', 0o600)
      } catch (error) {
        parts.delete(part)
        return cannot(error)
      }
      let taken: TakenContent | undefined
      try {
        const sum = createHash('sha256')
        let bytes = 0
        for await (const chunk of source) {
          bytes += chunk.length
          if (bytes > mostBytes) return { refused: tooLarge(mostBytes) }
          sum.update(chunk)
          try {
            await file.writeFile(chunk)
          } catch (error) {
            return cannot(error)
          }
        }
        try {
          await file.sync()
        } catch (error) {
          return cannot(error)
        }
        return (taken = takenOf(part, sum.digest('hex'), bytes))
      } finally {
        await file.close()
        if (!taken) {
          parts.delete(part)
          await rm(part, { force: true })
        }
      }
    },
    isThere: async hash => (await stat(pathOf(hash)).catch(undefinedIfMissing))?.isFile() ?? false,
    async pagesOf(hash) {
      const text = await readFile(textPath(hash), 'utf8').catch(undefinedIfMissing)
      const { data } = Kept.safeParse(text === undefined ? undefined : parseJson(text))
      if (!data) return undefined
      const { encoding, ...kept } = data
      return { ...kept, ...(encoding !== undefined && { encoding }) }
    },
    async remove(hash) {
      for (const name of namesOfContent(hash)) await rm(join(folder, name), { force: true })
    },
    async tidy(isUsed) {
      for (const name of namesIn(folder)) {
        const path = join(folder, name)
        const hash = /^([0-9a-f]{64})(\.json)?$/.exec(name)?.[1]
        const isPart = name.endsWith('.part') && !parts.has(path)
        if (isPart || (hash !== undefined && !isUsed(hash))) await rm(path, { force: true })
      }
    },
  }
}

/** The message that a file is too large to be attached. */
export const tooLarge = (most: number): string =>
  `It is larger than ${formatBytes(most)}, the most that can be attached. Name the file in your message instead, so that it is read in parts.`
