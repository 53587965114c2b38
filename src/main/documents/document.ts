import type { Refusal } from '../lib/expected-errors.ts'
import type { TextFile } from '../lib/encodings/decode-text.ts'

/** What a file is by its content. `other` is what is named, but not read. */
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

/** A page, slide, sheet, chapter or table of a document, counted from 1. */
type DocumentPage = { n: number; text: string }

/** The text of a document. `problems` are sentences about what it lacks, also of what was not read. */
export type Reading = {
  kind: DocumentKind
  /** The encoding of a file that is text. */
  encoding?: string
  pages: DocumentPage[]
  problems: string[]
}

/** Why a document was not read; `needs` says what would help. */
export type ReadRefusal = Refusal & { needs?: 'password' }

/** The files inside a document that is a zip. Nothing is unpacked to the disk, and names are only compared. */
export type ZipMembers = {
  names: readonly string[]
  has(name: string): boolean
  isLocked: boolean
  /** The bytes of a member; undefined if it is missing. Throws `DocumentTrouble` when it is damaged or too big. */
  bytes(name: string): Buffer | undefined
  /** The same as text: XML is UTF-8 or UTF-16. */
  text(name: string): string | undefined
}

/** A document as its reader gets it: bytes, text or members of a zip are there when its kind has them. */
export type Source = {
  /** Small letters behind the last dot of the name, such as `csv`. */
  ending: string
  size: number
  bytes: Buffer
  text?: TextFile
  zip?: ZipMembers
  password?: string
  /** A file beside this one, by what is added to its name, has something in it. */
  hasBeside(added: string): boolean
  /** The time for reading is nearly over, so what has been read so far is the result. */
  isLate(): boolean
}

/** What a reader makes of a source: the text of each page, and what is to be said. */
export type Content = { pages: string[]; problems: string[]; kind?: DocumentKind; encoding?: string }

/** One kind of document. */
export type Reader = (source: Source) => Content | Promise<Content>

/** Expected trouble with a document; the message goes on “report.pdf …”. */
export class DocumentTrouble extends Error {
  override readonly name = 'DocumentTrouble'
  readonly needs: 'password' | undefined
  constructor(message: string, needs?: 'password') {
    super(message)
    this.needs = needs
  }
}

/** What is said of a document of Office or OpenDocument that is locked: only the programs that make them open it. */
export const LOCKED_OFFICE =
  'is locked with a password, which Talaria cannot open for this kind of document. Open it in the program that it was made with, save a copy without a password, and give that'

/** The most characters of all pages of one document. */
export const MOST_CHARACTERS = 8_000_000
