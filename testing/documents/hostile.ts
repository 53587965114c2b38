import { hostilePacked } from './hostile-packed.ts'
import { hostileTexts } from './hostile-texts.ts'
import { makeDocx, makeParagraph } from './make-office.ts'

// For tests: documents that mean harm, or are broken in a way that readers trip over.

/** A document that means harm, or is broken in a way that readers trip over; made when it is read, and what comes of it. */
export type HostileDocument = {
  name: string
  file: string
  make(): string | Buffer
  /** It is refused, with these words … */
  refused?: RegExp
  /** … or read as this kind, with this text, and these problems said. */
  kind?: string
  text?: RegExp
  problem?: RegExp
  /** When the reader must be done, in ms since 1970; never, where it is left out. */
  until?(): number
  /** The most characters of its text. */
  most?: number
}

/** Every one is small here, and grows only in a reader that lets it. */
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
