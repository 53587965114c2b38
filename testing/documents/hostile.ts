import { hostilePacked } from './hostile-packed.ts'
import { hostileTexts } from './hostile-texts.ts'
import { makeDocx, makeParagraph } from './make-office.ts'

// For tests: documents that are malicious, or broken in ways that confuse readers.

/** A malicious or broken document, made when it is read, with the expected result. */
export type HostileDocument = {
  name: string
  file: string
  make(): string | Buffer
  /** The document is refused with these words … */
  refused?: RegExp
  /** … or read as this kind, with this text and these problems. */
  kind?: string
  text?: RegExp
  problem?: RegExp
  /** The reader's deadline, in ms since 1970; none if absent. */
  until?(): number
  /** Maximum length of its text, in characters. */
  most?: number
}

/** All hostile documents. Each is small here, and grows only in a careless reader. */
export const hostileDocuments: readonly HostileDocument[] = [
  ...hostilePacked,
  ...hostileTexts,
  // Files.
  {
    name: 'a name with a line end and a quote',
    file: 'a\n"b.docx',
    kind: 'docx',
    text: /^Hello$/,
    make: () => makeDocx(makeParagraph('Hello')),
  },
  {
    name: 'a gzip archive that is named a document',
    file: 'a.docx',
    kind: 'other',
    problem: /^It is a gzip archive/,
    make: () => Buffer.from('1f8b080000000000', 'hex'),
  },
  {
    name: 'half a sign in UTF-16',
    file: 'a.txt',
    kind: 'text',
    text: /^Hello/,
    make: () => Buffer.concat([Buffer.from('\ufeffHello \ud83d', 'utf16le'), Buffer.of(0x3d)]),
  },
]
