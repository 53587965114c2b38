import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'iconv-lite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readNotes } from './read-notes.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'talaria-notes-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const path = () => join(folder, 'USER.md')

const GERMAN = 'Über Müller: mag grünen Tee, fährt täglich nach Köln und hört gern Bücher.\n'

test.for<[name: string, make: () => void, found: object]>([
  ['text', () => writeFileSync(path(), 'Tea.'), { text: 'Tea.' }],
  ['nothing', () => {}, { text: '', isMissing: true }],
  [
    'UTF-16 of an editor of Windows',
    () => writeFileSync(path(), encode(GERMAN, 'utf16le', { addBOM: true })),
    { text: GERMAN },
  ],
  [
    'ten megabytes',
    () => writeFileSync(path(), 'x'.repeat(10_000_000)),
    { refused: 'it is far too long for notes (10 MB)' },
  ],
  [
    'entries without end',
    () => writeFileSync(path(), 'a\n§\n'.repeat(3_000)),
    { refused: 'it holds 3,000 entries, far too many for notes' },
  ],
  [
    'NULs of a crash',
    () => writeFileSync(path(), Buffer.alloc(4_096)),
    { refused: expect.stringContaining('not UTF-8') },
  ],
  [
    'a NUL within text',
    () => writeFileSync(path(), 'Tea.\0\0\nDog.'),
    { refused: expect.stringContaining('not UTF-8') },
  ],
  [
    'bytes that are no text',
    () => writeFileSync(path(), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff])),
    { refused: expect.stringContaining('not UTF-8') },
  ],
  ['a folder', () => mkdirSync(path()), { refused: 'it is a folder' }],
  [
    'a device',
    () => symlinkSync('/dev/zero', path()),
    { refused: 'it is no file, but a pipe, a device or the like' },
  ],
  [
    'a link to nothing',
    () => symlinkSync(join(folder, 'gone'), path()),
    { refused: 'it is a link to something that is not there' },
  ],
  ['a link to itself', () => symlinkSync(path(), path()), { refused: 'the system says ELOOP' }],
  ['a file as its folder', () => rmSync(folder, { recursive: true }), { text: '', isMissing: true }],
])('%s', ([, make, found]) => {
  make()
  expect(readNotes(path())).toMatchObject(found)
})

test('a pipe is not opened, which would wait for a writer', context => {
  if (process.platform === 'win32') return context.skip('Windows has no pipes in folders.')
  execFileSync('mkfifo', [path()])
  expect(readNotes(path())).toEqual({ refused: 'it is no file, but a pipe, a device or the like' })
})
