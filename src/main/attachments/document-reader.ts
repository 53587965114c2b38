import { open } from 'node:fs/promises'
import type { AttachmentKind } from '../../shared/contract/attachments.ts'
import { decodeText } from '../lib/encodings/decode-text.ts'
import type { Refusal } from '../lib/expected-errors.ts'

/** The text of a document, page by page. `problems`: what could not be read of it, in sentences. */
export type DocumentPages = {
  kind: AttachmentKind
  encoding?: string
  pages: readonly { n: number; text: string }[]
  problems: readonly string[]
}

/** Reads the document at a path as what its name says that it is. */
export type DocumentReader = (
  path: string,
  options: { name: string; signal?: AbortSignal },
) => Promise<DocumentPages | Refusal>

/** The most bytes of a text that are decoded at once: the host has no time for more. */
const MOST_BYTES = 8_000_000

/** Reads files of text, in any encoding; everything else is named as what cannot be read. */
export const readTextFile: DocumentReader = async path => {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    const decoded = decodeText(bytes.subarray(0, bytesRead))
    if (!decoded) return { refused: 'It is no text, and Talaria cannot read files of its kind yet.' }
    const isCut = size > MOST_BYTES
    return {
      kind: 'text',
      encoding: decoded.encoding,
      pages: [{ n: 1, text: decoded.text }],
      problems: isCut ? ['Only the first 8 MB of it were read.'] : [],
    }
  } finally {
    await file.close()
  }
}
