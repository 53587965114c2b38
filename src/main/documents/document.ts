import type { Refusal } from '../lib/expected-errors.ts'
import type { TextFile } from '../lib/encodings/decode-text.ts'

/** The kind of a file, judged by its content. `other` files are named but not read. */
export type DocumentKind =
  | 'text'
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'html'
  | 'ipynb'
  | 'csv'
  | 'sqlite'
  | 'rtf'
  | 'eml'
  | 'picture'
  | 'other'

/** A page, slide, sheet, chapter or table of a document, numbered from 1. */
type DocumentPage = { n: number; text: string }

/** The text of a document. `problems`: sentences about missing or unread parts. */
export type Reading = {
  kind: DocumentKind
  /** The encoding of a text file. */
  encoding?: string
  pages: DocumentPage[]
  problems: string[]
}

/** Why a document was not read. `needs`: what would help. */
export type ReadRefusal = Refusal & { needs?: 'password' }

/** The files in a zipped document. Nothing is unpacked to disk, and names are only compared. */
export type ZipMembers = {
  names: readonly string[]
  has(name: string): boolean
  isLocked: boolean
  /** The bytes of a member, or undefined. Throws `DocumentTrouble` if they are damaged or too large. */
  bytes(name: string): Buffer | undefined
  /** The same bytes as text: XML is UTF-8 or UTF-16. */
  text(name: string): string | undefined
}

/** A document as its reader gets it. Bytes, text or zip members are present if its kind has them. */
export type Source = {
  /** The file name extension in lower case, such as `csv`. */
  ending: string
  size: number
  bytes: Buffer
  text?: TextFile
  zip?: ZipMembers
  password?: string
  /** Whether a file named like this one plus a suffix exists and is not empty. */
  hasBeside(added: string): boolean
  /** Whether the time limit is near, so that the reader should return what it has. */
  isLate(): boolean
}

/** The result of a reader: the text of each page, and its problems. */
export type Content = { pages: string[]; problems: string[]; kind?: DocumentKind; encoding?: string }

/** Reads one kind of document. */
export type Reader = (source: Source) => Content | Promise<Content>

/** An expected problem with a document. Its message continues a sentence that starts with “report.pdf”. */
export class DocumentTrouble extends Error {
  override readonly name = 'DocumentTrouble'
  readonly needs: 'password' | undefined
  constructor(message: string, needs?: 'password') {
    super(message)
    this.needs = needs
  }
}

/** The message for a locked Office or OpenDocument file: only the programs that make these can open it. */
export const LOCKED_OFFICE =
  'is locked with a password, which Talaria cannot open for this kind of document. Open it in the program that it was made with, save a copy without a password, and give that'

/** Maximum number of characters in all pages of a document. */
export const MOST_CHARACTERS = 8_000_000
