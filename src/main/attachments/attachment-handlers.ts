import { open } from 'node:fs/promises'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import type { AttachmentStore } from '../db/chats/attachment-tables.ts'
import { resolveAsked } from '../files/workspace.ts'
import { undefinedIfMissing } from '../lib/expected-errors.ts'
import { findsFiles, hasFiles } from './files-of-folder.ts'
import { tellingWords, findPassages } from './find-passages.ts'
import type { Attachments } from './open-attachments.ts'
import { sayLimits, type ReadingModel } from './reading-model.ts'

type Parts = {
  attachments: Attachments
  store: Pick<AttachmentStore, 'find' | 'unsent'>
  sessionOf(this: void, id: string): Session
  modelOf(this: void, session: Session): Promise<ReadingModel>
  /** The reason why a chat's model can do nothing with a picture, in sentences; undefined if it can. */
  whyUnseen(this: void, session: Session): Promise<string | undefined>
  /** Names of configured models with a larger context window. */
  largerModels(this: void): Promise<readonly string[]>
}

/** Maximum size of one answer: characters of text, or bytes. */
const MOST_TEXT = 100_000
const MOST_BYTES = 1_000_000

/** Handlers to attach files to the drafts of chats, and to view them. */
export function attachmentHandlers({
  attachments,
  store,
  sessionOf,
  modelOf,
  whyUnseen,
  largerModels,
}: Parts) {
  const findFiles = findsFiles(Date.now)
  return {
    'attachment.add': ({ sessionId, from, password }) =>
      attachments.add(sessionOf(sessionId), from, password),
    'attachment.upload': ({ sessionId, ...file }) => ({
      uploadId: attachments.announce(sessionOf(sessionId), file),
    }),
    async 'attachment.list'({ sessionId }) {
      const session = sessionOf(sessionId)
      const unsent = await attachments.unsent(session)
      const documents = unsent.filter(({ use }) => use !== 'picture')
      const limits =
        documents.length === 0 ? null : sayLimits(documents, await modelOf(session), await largerModels())
      const blind = documents.length === unsent.length ? undefined : await whyUnseen(session)
      const note = [limits, blind].filter(Boolean).join(' ') || null
      return { attachments: unsent, note }
    },
    'attachment.change': ({ sessionId, hash, use }) => attachments.change(sessionOf(sessionId), hash, use),
    'attachment.files': ({ sessionId, query }) => findFiles(sessionOf(sessionId).workspace, query),
    'attachment.folder': async ({ folder }) => ({ hasFiles: await hasFiles(await resolveAsked(folder)) }),
    async 'attachment.remove'({ sessionId, hash }) {
      await attachments.takeBack(sessionOf(sessionId), hash)
      return {}
    },
    async 'attachment.text'({ sessionId, hash, from, offset, query }) {
      const { read } = await attachments.pagesOf(sessionId, hash)
      const isAsked = tellingWords(query).length > 0
      const found = isAsked ? new Set(findPages(read.pages, query)) : undefined
      return {
        ...partOf(
          read.pages.filter(({ n }) => found?.has(n) ?? true),
          from,
          offset,
        ),
        total: read.pages.length,
      }
    },
    async 'attachment.bytes'({ sessionId, hash, offset }) {
      const attachment = store.find(sessionId, hash)
      const file =
        attachment && (await open(attachments.contents.pathOf(hash), 'r').catch(undefinedIfMissing))
      if (!file)
        throw new Fault(
          'not_found',
          'The content of this attachment is missing from the home folder of Talaria.',
        )
      try {
        const { size } = await file.stat()
        const bytes = Buffer.alloc(Math.max(0, Math.min(MOST_BYTES, size - offset)))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
        return {
          base64: bytes.subarray(0, bytesRead).toString('base64'),
          type: attachment.kind === 'picture' ? typeOf(bytes, offset) : 'application/octet-stream',
          totalBytes: size,
        }
      } finally {
        await file.close()
      }
    },
  } satisfies Partial<HostHandlers>
}

type Page = { n: number; text: string }

/** The pages that contain words of a query. */
const findPages = (pages: readonly Page[], query: string): number[] =>
  findPassages(
    pages.map(({ n, text }) => ({ page: n, from: 0, text })),
    query,
    pages.length,
  ).map(({ page }) => page)

/** As many pages as fit into one answer, starting at a page, and the position where the rest begins. */
function partOf(pages: readonly Page[], from: number, offset: number) {
  const part: Page[] = []
  let left = MOST_TEXT
  for (const { n, text } of pages) {
    if (n < from) continue
    const start = n === from ? offset : 0
    if (left <= 0) return { pages: part, next: { from: n, offset: 0 } }
    // Do not cut a surrogate pair in half.
    const piece = text.slice(start, start + left).replace(/[\uD800-\uDBFF]$/, '')
    part.push({ n, text: piece })
    left -= piece.length
    if (start + piece.length < text.length)
      return { pages: part, next: { from: n, offset: start + piece.length } }
  }
  return { pages: part, next: null }
}

/** The media type of a picture that Talaria wrote, from its first bytes. */
function typeOf(bytes: Buffer, offset: number): string {
  if (offset > 0) return 'application/octet-stream'
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg'
  return bytes.subarray(8, 12).toString('latin1') === 'WEBP' ? 'image/webp' : 'application/octet-stream'
}
