import { basename } from 'node:path'
import { Readable } from 'node:stream'
import {
  MAX_ATTACHMENT_BYTES,
  MOST_ATTACHMENTS,
  type Attachment,
  type UnsentAttachment,
} from '../../shared/contract/chats/attachments.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { many } from '../../shared/text/amounts.ts'
import { Fault } from '../../shared/rpc.ts'
import type { AttachmentStore } from '../db/chats/attachment-tables.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import type { Reading, ReadRefusal } from '../documents/document.ts'
import { bytesOf, fileAt, sinceAttached, type SourceFile } from './file-on-disk.ts'
import { openContents, tooLarge, type KeptContents } from './kept-contents.ts'
import { readingTime, roomForWhole, usualUse, type ReadingModel } from './reading-model.ts'

/** A picture as it is stored: rotated, scaled down and without metadata. */
export type KeptPicture = { bytes: Uint8Array; width: number; height: number; problems?: readonly string[] }

/** Read the document at a path; `name` is the user's name for it. A refusal continues a sentence with it. */
type ReadDocument = (
  path: string,
  options: { name: string; password?: string | undefined },
) => Promise<Reading | ReadRefusal>

type Parts = {
  /** The folder for the contents. */
  folder: string
  store: AttachmentStore
  readDocument: ReadDocument
  /** Prepare a picture for storage. Without this, pictures are refused. */
  keepPicture?: ((path: string, name: string) => Promise<KeptPicture | Refusal>) | undefined
  modelOf(this: void, session: Session): Promise<ReadingModel>
  /** An attachment was added to the draft of a chat, changed or removed. */
  onChange(this: void, sessionId: string): void
}

/** The attachments of chats and their messages. */
export type Attachments = {
  contents: KeptContents
  /** Store the picture at a path. It belongs to no chat until a message names it. */
  keepPicture(this: void, name: string, path: string): Promise<Attachment | Refusal>
  /** Attach a file or bytes to the draft of a chat. Throws a `bad_input` Fault with the reason. */
  add(session: Session, from: Source, password?: string): Promise<UnsentAttachment>
  /** Expect a file that a page sends. Its bytes are passed to `receive`. */
  announce(session: Session, file: { name: string; sizeBytes: number; password?: string | undefined }): string
  /** Attach an announced file; undefined if this id is not expected. */
  receive(
    id: string,
    body: Readable,
    length: number,
  ): Promise<{ ok: true } | { ok: false; text: string; needs?: 'password' } | undefined>
  unsent(session: Session): Promise<UnsentAttachment[]>
  change(session: Session, hash: string, use: 'whole' | 'passages'): Promise<UnsentAttachment>
  takeBack(session: Session, hash: string): Promise<void>
  /** The extracted text of an attachment of a chat. Throws `not_found`. */
  pagesOf(sessionId: string, hash: string): Promise<{ attachment: Attachment; read: Reading }>
}

type Source = { kind: 'path'; path: string } | { kind: 'bytes'; name: string; base64: string }
type Expected = {
  session: Session
  name: string
  password: string | undefined
  sizeBytes: number
  at: number
}

/** How long an announced file is expected, in ms, and the maximum number of announced files. */
const EXPECTED_MS = 60 * 60_000
const MOST_EXPECTED = 100
/** Maximum number of characters to count in tokens exactly. Longer texts are estimated, to save time. */
const MOST_COUNTED = 400_000

/** Open the attachments of a home folder. */
export function openAttachments({
  folder,
  store,
  readDocument,
  keepPicture,
  modelOf,
  onChange,
}: Parts): Attachments {
  const contents = openContents(folder, MAX_ATTACHMENT_BYTES)
  const expected = new Map<string, Expected>()
  /** Rows of drafts whose contents could not be stored, to be removed once the disk has space. */
  const contentless = new Map<string, Set<string>>()

  const tokensOf = ({ count }: ReadingModel, { pages }: Reading): number =>
    pages.reduce(
      (sum, { text }) => sum + (text.length > MOST_COUNTED ? Math.ceil(text.length / 4) : count(text)),
      0,
    )

  const unsentOf = (attachment: Attachment, model: ReadingModel): UnsentAttachment => ({
    ...attachment,
    readSeconds: attachment.tokens === undefined ? null : readingTime(attachment.tokens, model),
    fits: attachment.tokens === undefined || attachment.tokens <= roomForWhole(model),
  })

  /** Add the path of the source file, and how it has changed. */
  async function withFile(sessionId: string, unsent: UnsentAttachment): Promise<UnsentAttachment> {
    const file = store.sourceOf(sessionId, unsent.hash)
    if (!file) return unsent
    const onDisk = await sinceAttached(file)
    return { ...unsent, path: file.path, ...(onDisk && { onDisk }) }
  }

  async function readAs(name: string, path: string, password?: string): Promise<Reading> {
    const outcome = await readDocument(path, { name, password })
    if (isRefusal(outcome))
      throw new Fault('bad_input', `${name} ${outcome.refused}.`, outcome.needs && { needs: outcome.needs })
    if (outcome.kind === 'other')
      throw new Fault('bad_input', `${name} cannot be read. ${outcome.problems.join(' ')}`.trim())
    return outcome
  }

  /** Store a content and add it to the draft of a chat. */
  async function attach(
    session: Session,
    { name, password, file }: { name: string; password?: string | undefined; file?: SourceFile },
    source: AsyncIterable<Uint8Array>,
  ): Promise<UnsentAttachment> {
    if (store.unsent(session.id).length >= MOST_ATTACHMENTS)
      throw new Fault(
        'bad_input',
        `A message has at most ${many(MOST_ATTACHMENTS, 'attachment')}. Send these first, or remove one.`,
      )
    const taken = accepted(name, await contents.take(source))
    try {
      const known = (await contents.isThere(taken.hash)) ? await contents.pagesOf(taken.hash) : undefined
      const read = known ?? (await readAs(name, taken.path, password))
      const model = await modelOf(session)
      // The hash of the content that was read, because a picture is stored with another content.
      const from = file && { ...file, hash: taken.hash }
      if (read.kind === 'picture') return await attachPicture(session, { name, from }, taken.path, model)
      const tokens = tokensOf(model, read)
      const attachment: Attachment = {
        hash: taken.hash,
        name,
        kind: read.kind,
        bytes: taken.bytes,
        pages: read.pages.length,
        tokens,
        use: usualUse(tokens, model),
        ...(read.problems.length > 0 && { problems: [...read.problems] }),
      }
      // Add the row first: a content without a row may be removed at any time.
      store.add(session.id, attachment, from)
      await keep(session.id, attachment, () => taken.keep(known ? undefined : read))
      onChange(session.id)
      return { ...unsentOf(attachment, model), ...(from && { path: from.path }) }
    } finally {
      await taken.discard()
    }
  }

  async function keepOnly(name: string, path: string): Promise<Attachment | Refusal> {
    if (!keepPicture) return { refused: 'Pictures cannot be kept here.' }
    const made = await keepPicture(path, name)
    if (isRefusal(made)) return made
    const kept = await contents.take(Readable.from([made.bytes]))
    if (isRefusal(kept)) return kept
    try {
      await kept.keep(undefined)
    } catch (error) {
      return { refused: `It could not be kept, because ${reasonOf(fileErrorCode(error))}.` }
    } finally {
      await kept.discard()
    }
    return pictureOf(name, kept, made)
  }

  async function attachPicture(
    session: Session,
    { name, from }: { name: string; from: SourceFile | undefined },
    path: string,
    model: ReadingModel,
  ): Promise<UnsentAttachment> {
    if (!keepPicture) throw new Fault('bad_input', `${name}: pictures cannot be attached yet.`)
    const made = accepted(name, await keepPicture(path, name))
    const kept = accepted(name, await contents.take(Readable.from([made.bytes])))
    try {
      const attachment = pictureOf(name, kept, made)
      store.add(session.id, attachment, from)
      await keep(session.id, attachment, () => kept.keep(undefined))
      onChange(session.id)
      return { ...unsentOf(attachment, model), ...(from && { path: from.path }) }
    } finally {
      await kept.discard()
    }
  }

  /** Remove a row whose content could not be stored. A full disk may prevent that, too. */
  function withdraw(sessionId: string, hash: string) {
    const unkept = contentless.get(sessionId) ?? new Set()
    try {
      store.takeBack(sessionId, [hash])
      unkept.delete(hash)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      contentless.set(sessionId, unkept.add(hash))
    }
  }

  async function keep(sessionId: string, { hash, name }: Attachment, work: () => Promise<void>) {
    try {
      await work()
      contentless.get(sessionId)?.delete(hash)
    } catch (error) {
      withdraw(sessionId, hash)
      throw new Fault(
        'bad_input',
        `${name}: It could not be attached, because ${reasonOf(fileErrorCode(error))}.`,
      )
    }
  }

  function found(sessionId: string, hash: string): Attachment {
    const attachment = store.find(sessionId, hash)
    if (!attachment) throw new Fault('not_found', 'This chat no longer has this attachment.')
    return attachment
  }

  function forgetLate(now: number) {
    for (const [id, { at }] of expected) if (now - at > EXPECTED_MS) expected.delete(id)
  }

  return {
    contents,
    keepPicture: keepOnly,
    async add(session, from, password) {
      if (from.kind === 'bytes') {
        const bytes = Buffer.from(from.base64, 'base64')
        return attach(session, { name: basename(from.name), password }, Readable.from([bytes]))
      }
      const { name, ...file } = await fileAt(session.workspace, from.path)
      return attach(session, { name, password, file }, bytesOf(file.path, name))
    },
    announce(session, { name, sizeBytes, password }) {
      if (sizeBytes > MAX_ATTACHMENT_BYTES)
        throw new Fault('bad_input', `${name}: ${tooLarge(MAX_ATTACHMENT_BYTES)}`)
      forgetLate(Date.now())
      if (expected.size >= MOST_EXPECTED)
        throw new Fault(
          'busy',
          'Too many files are being attached at the same time. Wait until some are done.',
        )
      const id = newId('attach')
      expected.set(id, { session, name: basename(name), password, sizeBytes, at: Date.now() })
      return id
    },
    async receive(id, body, length) {
      const file = expected.get(id)
      if (!file) return undefined
      if (length !== file.sizeBytes)
        return { ok: false, text: `${file.name} changed in size after you chose it. Attach it again.` }
      expected.delete(id)
      try {
        await attach(
          file.session,
          file,
          body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
        )
        return { ok: true }
      } catch (error) {
        if (error instanceof Fault)
          return { ok: false, text: error.message, ...(needsPassword(error) && { needs: 'password' }) }
        if (body.destroyed) return { ok: false, text: `The page stopped sending ${file.name}.` }
        throw error
      }
    },
    async unsent(session) {
      const unkept = contentless.get(session.id) ?? new Set()
      for (const hash of unkept) withdraw(session.id, hash)
      const attachments = store.unsent(session.id).filter(({ hash }) => !unkept.has(hash))
      if (attachments.length === 0) return []
      const model = await modelOf(session)
      return Promise.all(attachments.map(each => withFile(session.id, unsentOf(each, model))))
    },
    async change(session, hash, use) {
      const attachment = store.unsent(session.id).find(each => each.hash === hash)
      if (!attachment) throw new Fault('not_found', 'This attachment has already been sent or removed.')
      if (attachment.use === 'picture') throw new Fault('bad_input', 'A picture is always sent as a whole.')
      const model = await modelOf(session)
      const changed = { ...attachment, use }
      const unsent = unsentOf(changed, model)
      if (use === 'whole' && !unsent.fits)
        throw new Fault(
          'bad_input',
          `${attachment.name} has about ${many(attachment.tokens ?? 0, 'token')}, and ${model.name} can take ${many(roomForWhole(model), 'token')} of documents at once. Only passages of it are sent.`,
        )
      store.change(session.id, changed)
      onChange(session.id)
      return unsent
    },
    async takeBack(session, hash) {
      store.takeBack(session.id, [hash])
      if (!store.isUsed(hash)) await contents.remove(hash)
      onChange(session.id)
    },
    async pagesOf(sessionId, hash) {
      const attachment = found(sessionId, hash)
      const kept = await contents.pagesOf(hash)
      if (kept) return { attachment, read: kept }
      if (attachment.kind === 'picture')
        throw new Fault('bad_input', `${attachment.name} is a picture and has no text.`)
      // If the content exists, its text can be read again. A backup without files has neither.
      if (!(await contents.isThere(hash)))
        throw new Fault(
          'not_found',
          `The content of ${attachment.name} is missing from the home folder of Talaria.`,
        )
      return {
        attachment,
        read: await readAs(attachment.name, contents.pathOf(hash)),
      }
    },
  }
}

/** Return the outcome, or throw a Fault that names the file. */
function accepted<T extends object>(name: string, outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new Fault('bad_input', `${name}: ${outcome.refused}`)
  return outcome
}

const needsPassword = ({ data }: Fault): boolean =>
  typeof data === 'object' && data !== null && 'needs' in data && data.needs === 'password'

/** A stored picture as an attachment. */
const pictureOf = (
  name: string,
  { hash, bytes }: { hash: string; bytes: number },
  { width, height, problems = [] }: KeptPicture,
): Attachment => ({
  hash,
  name,
  kind: 'picture',
  bytes,
  width,
  height,
  use: 'picture',
  ...(problems.length > 0 && { problems: [...problems] }),
})
