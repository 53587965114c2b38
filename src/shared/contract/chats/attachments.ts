import { z } from 'zod'
import { call } from '../../rpc.ts'

/** What a file was recognised as; `other` is named in its problems. */
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

/** How a model gets it: the whole text, the passages that belong to the message with the rest on request, or as a picture. */
const AttachmentUse = z.enum(['whole', 'passages', 'picture'])

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * A file that belongs to a message, or to the draft of a chat. `hash`: SHA-256 of the content that is kept. `tokens`: what its text takes
 * in the chat’s model. `problems`: what could not be read of it, and what else is worth knowing, in sentences.
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
 * One that is not sent yet. `readSeconds`: how long the model of the chat needs to read all of it, null while its speed is unknown.
 * `fits`: whether all of it may be sent to that model; else passages are. `path`: the file on this computer that it is a copy of, where
 * it came by a path; `onDisk`: what became of that file since.
 */
export const UnsentAttachment = Attachment.extend({
  readSeconds: z.number().nullable(),
  fits: z.boolean(),
  path: z.string().optional(),
  onDisk: z.enum(['changed', 'gone']).optional(),
})
export type UnsentAttachment = z.infer<typeof UnsentAttachment>

/** The most files of one message. */
export const MOST_ATTACHMENTS = 20
/** The largest file that can be attached, in bytes. */
export const MAX_ATTACHMENT_BYTES = 50_000_000
/** The most bytes of a file that come as part of a call; larger ones come by path, or as an upload. */
export const MAX_INLINE_BYTES = 8_000_000

/** The header of a refused upload that says what would help, such as `password`. */
export const NEEDS_HEADER = 'talaria-needs'

/** The attachments of a message to send: the hashes of unsent ones of its chat, in their order. */
export const SentAttachments = z.array(hash).max(MOST_ATTACHMENTS)

const sessionId = z.string().min(1).max(100)
const name = z.string().trim().min(1).max(255)
/** Opens a locked document; it is not kept. */
const password = z.string().min(1).max(1_000).optional()
const one = z.object({ sessionId, hash })

/**
 * Files that belong to messages. Unsent ones belong to the draft of their chat and stay until they are sent or taken back; their
 * content is kept in the home, once, and goes with the last chat that uses it.
 */
export const attachments = {
  /**
   * Attach a file of this computer, or bytes such as a pasted picture, to the draft of a chat. Refused (`bad_input`) in words when it is missing, a
   * folder, too large or not readable at all. Of a locked document the Fault says `needs: 'password'`; the password opens it once and is
   * not kept.
   */
  'attachment.add': call(
    z.object({
      sessionId,
      password,
      from: z.discriminatedUnion('kind', [
        /** A relative path is one of the chat’s folder. */
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
   * Announce a file that a page sends: its bytes follow as the body of `PUT /upload/<uploadId>` with the token of the page. That
   * request answers once the file is attached, or with the reason why not; of a locked document the header `talaria-needs` says
   * `password`, and it is announced again with one.
   */
  'attachment.upload': call(
    z.object({ sessionId, name, password, sizeBytes: z.int().min(0) }),
    z.object({ uploadId: z.string() }),
  ),
  /**
   * The unsent ones of a chat, in their order. `note`: what its model cannot do with them, and what would help; null where there is nothing
   * to say.
   */
  'attachment.list': call(
    z.object({ sessionId }),
    z.object({ attachments: z.array(UnsentAttachment), note: z.string().nullable() }),
  ),
  /** Choose how the model gets an unsent document. */
  'attachment.change': call(one.extend({ use: z.enum(['whole', 'passages']) }), UnsentAttachment),
  /**
   * Files of the folder of a chat whose paths hold the words of `query`, the likeliest first; without words those of the folder
   * itself. Hidden ones, those that git ignores and those with keys are left out. `more`: there are others.
   */
  'attachment.files': call(
    z.object({ sessionId, query: z.string().max(300).default('') }),
    z.object({ files: z.array(z.object({ path: z.string(), bytes: z.int() })), more: z.boolean() }),
  ),
  /** Whether a folder holds a file that a chat in it could be asked about: none of those that `attachment.files` leaves out. */
  'attachment.folder': call(
    z.object({ folder: z.string().trim().min(1).max(4_096) }),
    z.object({ hasFiles: z.boolean() }),
  ),
  /** Take an unsent one back. */
  'attachment.remove': call(one, z.object({})),
  /**
   * The text of one, page by page, from page `from` on; a page that is too long for one answer goes on at `offset`. `next` is where the rest
   * begins, null at the end. With `query`, only pages that hold those words.
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
  /** A part of the bytes of one, such as a picture to be shown; at most a megabyte at once. */
  'attachment.bytes': call(
    one.extend({ offset: z.int().min(0).default(0) }),
    z.object({ base64: z.base64(), type: z.string(), totalBytes: z.int() }),
  ),
}
