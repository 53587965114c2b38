import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDocx, makeParagraph, makeZip } from '../../../testing/documents/make-office.ts'
import { linePage, makePdf } from '../../../testing/documents/make-pdf.ts'
import { aFile, readMade, textsOf } from '../../../testing/documents/read-made.ts'
import { readDocument } from './read-document.ts'
import { readSource } from './read-source.ts'

const docx = makeDocx(makeParagraph('Hello'))

test('a process of its own reads a document and says what it is', async () => {
  const path = aFile('a.pdf', makePdf([linePage('Hello')]))
  expect(await readDocument(path)).toEqual({ kind: 'pdf', pages: [{ n: 1, text: 'Hello' }], problems: [] })
})

test('what takes too long or too much memory is killed, and that is said', async () => {
  const path = aFile('a.docx', docx)
  expect(await readDocument(path, { limits: { timeMs: 1 } })).toEqual({
    refused: 'takes longer than 1 second to read, so it is not read',
  })
  expect(await readDocument(path, { limits: { memoryMb: 8 } })).toEqual({
    refused: 'needs more than 8 MB of memory, so it is not read',
  })
  const signal = AbortSignal.abort()
  expect(await readDocument(path, { signal })).toEqual({ refused: 'was not read: the reading was stopped' })
})

test('a process that ends without a word is a refusal', async () => {
  const spawn = () => ({
    post: () => undefined,
    onMessage: () => undefined,
    onExit: (listener: (how: string) => void) => listener('SIGSEGV'),
    kill: () => undefined,
  })
  expect(await readDocument('x', { spawn })).toEqual({
    refused: 'cannot be read: the process that read it has ended (SIGSEGV)',
  })
})

test('what a file is, its content says; a wrong ending is a problem', async () => {
  expect(await readMade('bill.pdf', docx)).toEqual({
    kind: 'docx',
    pages: [{ n: 1, text: 'Hello' }],
    problems: ['Its name ends in .pdf, but it is a Word document.'],
  })
  expect(await readMade('notes.docx', 'plain words')).toMatchObject({
    kind: 'text',
    pages: [{ text: 'plain words' }],
  })
})

const old = (...parts: string[]) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(parts.join('\0'), 'utf16le')])
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000200806000000', 'hex')

test.for([
  [
    'old.doc',
    old('xxWordDocument'),
    'It is an old Word document (.doc), which is not read here. Open it in the program that it was made with, or in LibreOffice, and save it as .docx.',
  ],
  [
    'old.xls',
    old('xxWorkbook'),
    'It is an old Excel workbook (.xls), which is not read here. Open it in the program that it was made with, or in LibreOffice, and save it as .xlsx.',
  ],
  [
    'old.ppt',
    old('PowerPoint Document'),
    'It is an old PowerPoint presentation (.ppt), which is not read here. Open it in the program that it was made with, or in LibreOffice, and save it as .pptx.',
  ],
  [
    'mail.msg',
    old('__substg1.0_001A001F'),
    'It is an Outlook message (.msg). Save it as .eml to have it read.',
  ],
  ['picture.png', png, 'It is a picture (PNG, 16 x 32).'],
  [
    'files.zip',
    makeZip({ 'a.txt': 'a', 'b.txt': 'b' }),
    'It is a zip archive (2 files). Unpack it to read what is in it.',
  ],
  ['a.gz', Buffer.from('1f8b0800', 'hex'), 'It is a gzip archive. Unpack it to read what is in it.'],
  [
    'noise',
    Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]),
    'It is no text, and of a kind that is not known here.',
  ],
] as const)('what is not read is named: %s', async ([name, bytes, said]) => {
  const read = await readMade(name, bytes)
  expect(read).toMatchObject({ pages: [], problems: [said] })
})

test('a locked document of Office is refused with what makes it readable, and asks for no password', async () => {
  for (const name of ['locked.docx', 'locked.xlsx', 'locked.pptx'])
    expect(await readMade(name, old('EncryptionInfo', 'EncryptedPackage'))).toEqual({
      refused:
        'is locked with a password, which Talaria cannot open for this kind of document. Open it in the program that it was made with, save a copy without a password, and give that',
    })
})

test.for([
  [
    'a zip that grows a hundred times',
    makeDocx('', { 'document.xml': ' '.repeat(81_000_000) }),
    /far bigger inside/,
  ],
  ['a zip that lies about what is in it', lying(), /is damaged/],
  ['half of a document', docx.subarray(0, docx.length / 2), /is damaged/],
  ['a document whose bytes were changed', changed(), /is damaged/],
  ['a book without a list', makeZip({ mimetype: 'application/epub+zip', x: 'y' }), /is a damaged book/],
  [
    'a text without content',
    makeZip({ mimetype: 'application/vnd.oasis.opendocument.text' }),
    /is a damaged OpenDocument file/,
  ],
] as const)('%s is refused', async ([, bytes, reason]) => {
  expect(await textsOf('a.docx', bytes)).toMatch(reason)
})

test.for([
  [
    'a cell over a thousand million columns',
    `<html><table><tr><td colspan="1000000000">a<td>b<tr><td>c<td>d</table>`,
  ],
  ['tables in tables', `<html>${'<table><tr><td>'.repeat(20_000)}deep`],
  ['a thousand lists', `<html>${'<ul><li>'.repeat(5_000)}deep`],
  ['signs that begin nothing', `<html>${'<'.repeat(200_000)}`],
  ['an attribute that never ends', `<html><p>text<a title="${'x'.repeat(200_000)}`],
] as const)('%s stays within bounds', async ([, html]) => {
  const read = await textsOf('a.html', html)
  expect(read).toHaveLength(1)
  expect(read[0]!.length).toBeLessThan(300_000)
})

test('too much text is cut, and that is said', async () => {
  const read = await readMade('a.txt', 'word '.repeat(1_700_000))
  if ('refused' in read) throw new Error(read.refused)
  expect(read.pages[0]!.text).toHaveLength(8_000_000)
  expect(read.problems).toEqual(['It has too much text: only its first 8 million characters are read.'])
})

test('a file that is too big is refused, or read in part', async () => {
  const pdf = aFile('a.pdf', makePdf([linePage('Hello')]))
  truncateSync(pdf, 101_000_000)
  expect(await readSource({ path: pdf, name: 'a.pdf', until: Infinity })).toEqual({
    refused: 'is too big to be read (101 MB)',
  })
})

test('when the time is nearly over, what has been read is the result', async () => {
  const path = aFile('a.pdf', makePdf(Array.from({ length: 3 }, () => linePage('Hello'))))
  expect(await readSource({ path, name: 'a.pdf', until: 0 })).toMatchObject({
    kind: 'pdf',
    problems: ['It has 3 pages. Only the first 0 were read, because reading takes too long.'],
  })
})

test('what is no file is refused', async () => {
  const folder = join(aFile('x', 'x'), '..')
  const loop = join(folder, 'loop')
  symlinkSync('loop', loop)
  const read = (path: string) => readSource({ path, name: 'x', until: Infinity })
  expect(await read(folder)).toEqual({ refused: 'is a folder' })
  expect(await read(loop)).toEqual({ refused: 'cannot be read: its links lead in a circle' })
  expect(await read(join(folder, 'gone'))).toEqual({ refused: 'does not exist' })
  expect(await read('/dev/zero')).toEqual({ refused: 'is no file, but a device or a pipe' })
  expect(await readMade('empty.txt', '')).toEqual({
    kind: 'text',
    encoding: 'UTF-8',
    pages: [{ n: 1, text: '' }],
    problems: ['It has no text.'],
  })
})

/** A zip whose directory gives too short a length for a member. */
function lying(): Buffer {
  const bytes = Buffer.from(makeDocx(makeParagraph('a'.repeat(50_000))))
  const entry = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'))
  bytes.writeUInt32LE(10, entry + 24)
  return bytes
}

function changed(): Buffer {
  const bytes = Buffer.from(makeDocx(makeParagraph('some words that are packed in a document')))
  const at = bytes.indexOf('word/document.xml') + 40
  bytes[at] = bytes[at]! ^ 255
  return bytes
}
