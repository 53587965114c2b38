import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../testing/tools/a-workspace.ts'
import { readFile } from './read-file.ts'
import { encodeText } from './text-file.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)

test('a file is read with a heading and without line numbers', async () => {
  const { call } = aWorkspace({ 'notes.md': '# Notes\r\n\r\nBuy milk\r\n', 'empty.md': '' })
  expect(await call(readFile, { path: 'notes.md' })).toEqual({
    ok: true,
    text: 'notes.md, lines 1-3 of 3\n# Notes\n\nBuy milk',
  })
  expect(await call(readFile, { path: 'empty.md' })).toEqual({ ok: true, text: 'empty.md, empty' })
})

test('a long file is read in pages that name the next one', async () => {
  const { call } = aWorkspace({ 'long.txt': lines(1, 4_100).join('\n') })
  const pages = [{}, { offset: 2_001 }, { offset: 4_001 }, { offset: 3, limit: 2 }]
  const texts = await Promise.all(
    pages.map(async page => said(await call(readFile, { path: 'long.txt', ...page }))),
  )
  expect(texts).toEqual([
    ['long.txt, lines 1-2000 of 4100', ...lines(1, 2_000), more(2_001)].join('\n'),
    ['long.txt, lines 2001-4000 of 4100', ...lines(2_001, 4_000), more(4_001)].join('\n'),
    ['long.txt, lines 4001-4100 of 4100', ...lines(4_001, 4_100)].join('\n'),
    ['long.txt, lines 3-4 of 4100', 'line 3', 'line 4', more(5)].join('\n'),
  ])
  expect(await call(readFile, { path: 'long.txt', offset: 5_000 })).toEqual({
    ok: false,
    reason: 'long.txt has 4100 lines, so there is no line 5000.',
  })
})

test('a very long line is cut, and says so', async () => {
  const { call } = aWorkspace({ 'data.json': 'x'.repeat(300_000) })
  const text = said(await call(readFile, { path: 'data.json' }))
  expect(text).toHaveLength('data.json, lines 1-1 of 1\n'.length + 256_000 + 39)
  expect(text.endsWith('x [… 44000 more characters in this line]')).toBe(true)
})

test('UTF-16 and byte order marks are supported', async () => {
  const file = { text: 'grüße\r\n', mark: true }
  const { call } = aWorkspace({
    'a.txt': encodeText({ ...file, encoding: 'utf16le' }),
    'b.txt': encodeText({ ...file, encoding: 'utf8' }),
  })
  expect(said(await call(readFile, { path: 'a.txt' }))).toBe('a.txt, lines 1-1 of 1\ngrüße')
  expect(said(await call(readFile, { path: 'b.txt' }))).toBe('b.txt, lines 1-1 of 1\ngrüße')
})

test.for([
  ['picture.png', 'picture.png is not text (8 bytes).'],
  ['folder', 'folder is a folder. Use list_files to see what is in it.'],
  ['note.md', 'note.md does not exist. Near it: notes.md.'],
  ['zzz', 'zzz does not exist. List the folder to see what does.'],
  ['no/such.md', 'no/such.md does not exist, and neither does its folder no.'],
  ['../outside/zzz', '../outside/zzz does not exist.'],
])('%s cannot be read, and the reason helps', async ([path, reason]) => {
  const { call } = aWorkspace({
    'picture.png': Buffer.from('89504e470d0a0000', 'hex'),
    'folder/a.md': '',
    'notes.md': '',
  })
  expect(await call(readFile, { path })).toEqual({ ok: false, reason })
})

test('a file outside is marked, and a link made after the approval is not followed', async () => {
  const { outside, workspace, put, intent, call } = aWorkspace()
  const path = put(join(outside, 'a.txt'), 'text')
  expect(await intent(readFile, { path })).toEqual({
    title: `Read ${path}`,
    detail: path,
    risk: 'read',
    inWorkspace: false,
    folder: outside,
    path,
  })
  put(join(workspace, 'b/a.txt'), 'mine')
  const between = () => symlinkSync(outside, join(workspace, 'c'))
  const result = await call(readFile, { path: 'c/../b/a.txt' }, { between })
  expect(said(result)).toBe('b/a.txt, lines 1-1 of 1\nmine')
})
const more = (line: number) => `[more from line ${line}: read again with offset ${line}]`
