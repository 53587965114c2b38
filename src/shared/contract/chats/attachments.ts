import { z } from 'zod'
import { call } from '../../rpc.ts'

/** The recognised kind of a file; for `other`, the problems of the attachment name the kind. */
export const AttachmentKind = z.enum([
  'text',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'ods',
  'odp',
  'epub',
  'html',
  'ipynb',
  'csv',
  'sqlite',
  'rtf',
  'eml',
  'picture',
  'other',
])
export type AttachmentKind = z.infer<typeof AttachmentKind>

/**
 * How a model gets an attachment: its whole text, the passages relevant to the message with the rest on
 * request, or as a picture.
 */
const AttachmentUse = z.enum(['whole', 'passages', 'picture'])

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * A file that belongs to a message, or to the draft of a chat. `hash`: SHA-256 of the stored content.
 * `tokens`: the length of its text for the chat’s model. `problems`: parts that could not be read and other
 * remarks, in sentences.
 */
export const Attachment = z.object({
  hash,
  name: z.string().min(1).max(255),
  kind: AttachmentKind,
  bytes: z.int(),
  pages: z.int().optional(),
  tokens: z.int().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  description: z.string().optional(),
  use: AttachmentUse,
  problems: z.array(z.string()).optional(),
})
export type Attachment = z.infer<typeof Attachment>

/**
 * An attachment that is not sent yet. `readSeconds`: how long the chat’s model needs to read it all, null
 * while the speed is unknown. `fits`: whether all of it may be sent to that model; otherwise passages are
 * sent. `path`: the original file, if it was attached by path; `onDisk`: whether that file has changed or
 * gone since.
 */
export const UnsentAttachment = Attachment.extend({
  readSeconds: z.number().nullable(),
  fits: z.boolean(),
  path: z.string().optional(),
  onDisk: z.enum(['changed', 'gone']).optional(),
})
export type UnsentAttachment = z.infer<typeof UnsentAttachment>

/** Maximum number of files in one message. */
export const MOST_ATTACHMENTS = 20
/** Maximum size of an attached file, in bytes. */
export const MAX_ATTACHMENT_BYTES = 50_000_000
/** Maximum size of a file passed inside a call, in bytes; larger files are passed by path, or uploaded. */
export const MAX_INLINE_BYTES = 8_000_000

/** The header of a refused upload that names what is needed, such as `password`. */
export const NEEDS_HEADER = 'talaria-needs'

/** The attachments of a message to send: hashes of unsent attachments of its chat, in order. */
export const SentAttachments = z.array(hash).max(MOST_ATTACHMENTS)

const sessionId = z.string().min(1).max(100)
const name = z.string().trim().min(1).max(255)
/** The password of a locked document. It is not stored. */
const password = z.string().min(1).max(1_000).optional()
const one = z.object({ sessionId, hash })

/**
 * Files that belong to messages. Unsent files belong to the draft of their chat until they are sent or
 * removed. Their content is stored once in the home folder, and removed with the last chat that uses it.
 */
export const attachments = {
  /**
   * Attach a file of this computer, or bytes such as a pasted picture, to the draft of a chat. Throws a
   * `bad_input` Fault if it is missing, a folder, too large or unreadable. For a locked document, the Fault
   * has `needs: 'password'`; the password opens the document once and is not stored.
   */
  'attachment.add': call(
    z.object({
      sessionId,
      password,
      from: z.discriminatedUnion('kind', [
        /** A relative path starts in the chat’s folder. */
        z.object({ kind: z.literal('path'), path: z.string().min(1).max(4_096) }),
        z.object({
          kind: z.literal('bytes'),
          name,
          base64: z.base64().max(Math.ceil(MAX_INLINE_BYTES / 3) * 4),
        }),
      ]),
    }),
    UnsentAttachment,
  ),
  /**
   * Announce a file that a page uploads: its bytes follow as the body of `PUT /upload/<uploadId>` with the
   * token of the page. That request answers once the file is attached, or with the reason why not. For a
   * locked document, the header `talaria-needs` says `password`, and the page announces the file again with a
   * password.
   */
  'attachment.upload': call(
    z.object({ sessionId, name, password, sizeBytes: z.int().min(0) }),
    z.object({ uploadId: z.string() }),
  ),
  /**
   * The unsent attachments of a chat, in order. `note`: what its model cannot do with them and what would
   * help; null if there is nothing to say.
   */
  'attachment.list': call(
    z.object({ sessionId }),
    z.object({ attachments: z.array(UnsentAttachment), note: z.string().nullable() }),
  ),
  /** Choose how the model gets an unsent document: whole, or as passages. */
  'attachment.change': call(one.extend({ use: z.enum(['whole', 'passages']) }), UnsentAttachment),
  /**
   * Files in the chat’s folder whose paths contain the words of `query`, best match first; without words, the
   * files directly in the folder. Hidden files, files that git ignores and files with keys are left out.
   * `more`: whether there are more matches.
   */
  'attachment.files': call(
    z.object({ sessionId, query: z.string().max(300).default('') }),
    z.object({ files: z.array(z.object({ path: z.string(), bytes: z.int() })), more: z.boolean() }),
  ),
  /** Whether a folder has a file to ask about, not counting those that `attachment.files` leaves out. */
  'attachment.folder': call(
    z.object({ folder: z.string().trim().min(1).max(4_096) }),
    z.object({ hasFiles: z.boolean() }),
  ),
  /** Remove an unsent attachment. */
  'attachment.remove': call(one, z.object({})),
  /**
   * The text of an attachment, page by page, from page `from`. A page that is too long for one answer
   * continues at `offset`. `next` is where the rest starts, null at the end. With `query`, only pages that
   * contain those words.
   */
  'attachment.text': call(
    one.extend({
      from: z.int().min(1).default(1),
      offset: z.int().min(0).default(0),
      query: z.string().max(500).default(''),
    }),
    z.object({
      pages: z.array(z.object({ n: z.int(), text: z.string() })),
      total: z.int(),
      next: z.object({ from: z.int(), offset: z.int() }).nullable(),
    }),
  ),
  /** Part of the bytes of an attachment, such as a picture to show; at most a megabyte per call. */
  'attachment.bytes': call(
    one.extend({ offset: z.int().min(0).default(0) }),
    z.object({ base64: z.base64(), type: z.string(), totalBytes: z.int() }),
  ),
}
