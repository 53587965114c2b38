import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { readFileTool } from './read-file.ts'
import { createResultCap } from '../registry/shorten-result.ts'
import { encodeText } from '../../lib/encodings/decode-text.ts'

const readFile = readFileTool()
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

/** Follow the advice of each page, as a model would, and put the pieces together. */
async function readToEnd(
  call: ReturnType<typeof aWorkspace>['call'],
  home: string,
  path: string,
  contextTokens: number,
): Promise<{ text: string; pages: number }> {
  const cap = createResultCap(home, { result_limit: 50_000, error_limit: 2_048 })
  const tool = readFileTool({ result_limit: 50_000 })
  let next: Record<string, unknown> | undefined = {}
  let text = ''
  let pages = 0
  while (next) {
    const result = await call(tool, { path, ...next }, { how: { contextTokens } })
    const capped = await cap({ id: 'c', name: 'read_file', arguments: {} }, result, contextTokens)
    expect(capped).toBe(result)
    const page = said(result).split('\n')
    const note = /^\[.*offset (\d+)(?: and column (\d+))?\]$/.exec(page.at(-1)!)
    if (note) page.pop()
    text += page.slice(1).join('\n') + (note && note[2] === undefined ? '\n' : '')
    next = note ? { offset: Number(note[1]), ...(note[2] && { column: Number(note[2]) }) } : undefined
    pages += 1
  }
  return { text, pages }
}

const items = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'] })))

test.for([
  ['a JSON of 120 kB in one line', items(2_800), 4_096],
  ['a JSON of 120 kB in one line', items(2_800), 128_000],
  ['a JSON of 1 MB in one line', items(22_000), 32_000],
  [
    'several long lines of minified code',
    ['f();'.repeat(9_000), '', 'g()', 'h();'.repeat(20_000)].join('\n'),
    8_192,
  ],
  ['emoji of several parts', '👩‍👩‍👧‍👦🇨🇭é👍🏽'.repeat(4_000), 4_096],
  ['flags only', `x${'🇨🇭'.repeat(9_000)}`, 4_096],
  ['one accent over another', `e${'\u0301'.repeat(20_000)}`, 4_096],
] as const)('%s is read to its end by following the advice', async ([, content, contextTokens]) => {
  const { call, home } = aWorkspace({ 'data.txt': content })
  const { text, pages } = await readToEnd(call, home, 'data.txt', contextTokens)
  expect(text).toBe(content)
  expect(pages).toBeGreaterThan(1)
  expect(pages).toBeLessThan(content.length / (contextTokens / 4))
})

test('no piece begins or ends within an emoji', async () => {
  const family = '👩‍👩‍👧‍👦🇨🇭'
  const { call } = aWorkspace({ 'data.txt': family.repeat(3_000) })
  for (let contextTokens = 4_096; contextTokens < 4_112; contextTokens += 3) {
    const result = await call(readFile, { path: 'data.txt' }, { how: { contextTokens } })
    const [, piece = ''] = said(result).split('\n')
    expect(piece.replaceAll('👩‍👩‍👧‍👦', '').replaceAll('🇨🇭', '')).toBe('')
  }
  const within = await call(readFile, { path: 'data.txt', column: 2 })
  expect(said(within).split('\n')[1]!.startsWith('👩')).toBe(true)
})

test('any text comes back whole, whatever the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 3_000 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 500, max: 4_000 }),
      async (lines, contextTokens) => {
        const content = `x${lines.map(line => line.replace(/\p{Cc}/gu, ' ')).join('\n')}y`
        const { call, home } = aWorkspace({ 'a.txt': content })
        expect((await readToEnd(call, home, 'a.txt', contextTokens)).text).toBe(content)
      },
    ),
    { numRuns: 40 },
  )
})

test('a kept result in one long line is read to its end', async () => {
  const { call, home } = aWorkspace()
  const content = items(3_000)
  const cap = createResultCap(home, { result_limit: 50_000, error_limit: 2_048 })
  const cut = await cap({ id: 'c', name: 'terminal', arguments: {} }, { ok: true, text: content }, 8_192)
  const [, path] = /the full text is in (\S+),/.exec(said(cut))!
  expect((await readToEnd(call, home, path!, 8_192)).text).toBe(content)
})

test('a column behind the end of a line is refused with its length', async () => {
  const { call } = aWorkspace({ 'a.txt': 'four\n\n' })
  expect(await call(readFile, { path: 'a.txt', column: 5 })).toEqual({
    ok: false,
    reason: 'Line 1 of a.txt has 4 characters, so there is no character 5.',
  })
  expect(said(await call(readFile, { path: 'a.txt', column: 4 }))).toBe(
    'a.txt, lines 1-2 of 2, line 1 from character 4 on\nr\n',
  )
  expect(said(await call(readFile, { path: 'a.txt', offset: 2, column: 1 }))).toBe('a.txt, lines 2-2 of 2\n')
})

const code = { 'src/a.ts': 'one\ntwo\nthree', 'src/sub/only.ts': 'only', 'My Notes.txt': 'mine' }

test.for([
  ['@src/a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['src/a.ts:2', 'src/a.ts, lines 2-3 of 3'],
  ['src/a.ts:2-2', 'src/a.ts, lines 2-2 of 3'],
  ['src/a.ts:2:14', 'src/a.ts, lines 2-3 of 3'],
  ['src/a.ts#L1-L2', 'src/a.ts, lines 1-2 of 3'],
  ['src/a.ts(3,1)', 'src/a.ts, lines 3-3 of 3'],
  ['@src/a.ts#L3', 'src/a.ts, lines 3-3 of 3'],
  ['My%20Notes.txt', 'My Notes.txt, lines 1-1 of 1'],
  ['SRC/A.ts', 'src/a.ts, lines 1-3 of 3'],
  ['/src/a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['/workspace/src/a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['work/src/a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['./src/a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['b/src/a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['src\\a.ts', 'src/a.ts, lines 1-3 of 3'],
  ['only.ts', 'src/sub/only.ts (the only only.ts below the folder), lines 1-1 of 1'],
  ['Only.ts:1', 'src/sub/only.ts (the only only.ts below the folder), lines 1-1 of 1'],
  ['`src/a.ts`,', 'src/a.ts, lines 1-3 of 3'],
] as const)('%s is read for what it can only mean', async ([path, heading]) => {
  const { call } = aWorkspace(code)
  expect(said(await call(readFile, { path })).split('\n')[0]).toBe(heading)
})

test('an offset of the call counts more than a line in the path', async () => {
  const { call } = aWorkspace(code)
  expect(said(await call(readFile, { path: 'src/a.ts:3', offset: 1, limit: 1 }))).toContain('lines 1-1 of 3')
})

test('a tab that was meant as a backslash and a t is read so', async () => {
  const { call } = aWorkspace({ 'src/test.ts': 'found' })
  expect(said(await call(readFile, { path: 'src\test.ts' }))).toContain('found')
})

test('what may mean two files is not guessed', async () => {
  const { call } = aWorkspace({ 'a/x.ts': '1', 'b/x.ts': '2', 'C.md': '3', 'c.MD': '4' })
  expect(said(await call(readFile, { path: 'x.ts' }))).toBe(
    'x.ts does not exist. Of that name there are: a/x.ts, b/x.ts.',
  )
  expect(said(await call(readFile, { path: 'c.md' }))).toContain('does not exist')
})

test('ignored and hidden files are not guessed, and a key stays closed', async () => {
  const { call, put, workspace } = aWorkspace({ '.gitignore': 'out/', 'out/gen.ts': 'x', '.cache/x.ts': 'x' })
  put(join(workspace, '.git/HEAD'), '')
  put(join(workspace, 'keys/id_rsa'), 'secret')
  expect(said(await call(readFile, { path: 'gen.ts' }))).toContain('does not exist')
  expect(said(await call(readFile, { path: 'x.ts' }))).toContain('does not exist')
  for (const path of [
    'id_rsa',
    '@keys/id_rsa',
    'KEYS/ID_RSA',
    'keys%2Fid_rsa',
    '/keys/id_rsa:1',
    '"keys/id_rsa"',
  ])
    expect(said(await call(readFile, { path }))).toContain('holds keys or passwords')
})

test('a file that appears where another was guessed is not read in its place', async () => {
  const { call, put, workspace } = aWorkspace({ 'src/a.ts': 'guessed' })
  const between = () => void put(join(workspace, 'a.ts'), 'new')
  expect(said(await call(readFile, { path: 'a.ts' }, { between }))).toContain('leads to another place')
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
