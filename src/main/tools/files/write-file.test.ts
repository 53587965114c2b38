import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { encodeText } from '../../lib/encodings/decode-text.ts'
import { replaceFile } from './file-jobs.ts'
import { writeFile } from './write-file.ts'

test('a file is created with its folders, and no other file is left', async () => {
  const { workspace, call } = aWorkspace()
  const args = { path: 'a/b/notes.md', content: '# Notes\n\nBuy milk.\n\n' }
  expect(await call(writeFile, args)).toEqual({
    ok: true,
    text: 'Created a/b/notes.md (20 bytes).',
    files: [args.path],
  })
  expect(readFileSync(join(workspace, 'a/b/notes.md'), 'utf8')).toBe(args.content)
  expect(readdirSync(join(workspace, 'a/b'))).toEqual(['notes.md'])
})

test.skipIf(process.platform === 'win32')('a file is replaced whole, and keeps its permissions', async () => {
  const { workspace, call } = aWorkspace({ 'run.sh': 'echo old\n' })
  chmodSync(join(workspace, 'run.sh'), 0o755)
  const result = await call(writeFile, { path: 'run.sh', content: 'echo new\n' })
  expect(said(result)).toBe('Replaced run.sh (9 bytes).')
  expect(readFileSync(join(workspace, 'run.sh'), 'utf8')).toBe('echo new\n')
  expect(statSync(join(workspace, 'run.sh')).mode & 0o777).toBe(0o755)
})

test('the intent shows the diff', async () => {
  const { workspace, intent } = aWorkspace({ 'notes.md': 'one\ntwo\n' })
  const args = { path: 'notes.md', content: 'one\n2\n' }
  expect(await intent(writeFile, args)).toEqual({
    title: 'Replace notes.md',
    detail: '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    risk: 'write',
    inWorkspace: true,
    folder: workspace,
    path: join(workspace, 'notes.md'),
  })
  const others = ['new.md', 'empty.md', 'notes.md'].map((path, index) =>
    intent(writeFile, { path, content: ['new\n', '', 'one\ntwo\n'][index] }),
  )
  expect(await Promise.all(others)).toMatchObject([
    { title: 'Create new.md', detail: '@@ -0,0 +1 @@\n+new' },
    { title: 'Create empty.md', detail: '(an empty file)' },
    { title: 'Replace notes.md', detail: '(nothing changes)' },
  ])
})

test.for([
  [
    'Windows line ends',
    'one\r\ntwo\r\n',
    'one\n2\n',
    'one\r\n2\r\n',
    ' It keeps its Windows line ends (CRLF).',
  ],
  [
    'a mark and Windows line ends',
    '\ufeffa;b\r\n1;2\r\n',
    'a;b\n1;3\n',
    '\ufeffa;b\r\n1;3\r\n',
    ' It keeps its Windows line ends (CRLF) and its byte order mark.',
  ],
  ['one mark, not two', '\ufeffa\n', '\ufeffb\n', '\ufeffb\n', ' It keeps its byte order mark.'],
  ['Unix line ends', 'one\ntwo\n', 'one\r\n2\r\n', 'one\n2\n', ''],
  ['wanted Windows line ends', 'one\ntwo\n', 'one\r\ntwo\r\n', 'one\r\ntwo\r\n', ''],
  ['a file of one line', 'one', 'one\r\ntwo\r\n', 'one\r\ntwo\r\n', ''],
  [
    'most line ends, where they are mixed',
    'a\r\nb\r\nc\nd',
    'a\nb\n',
    'a\r\nb\r\n',
    ' It keeps its Windows line ends (CRLF).',
  ],
] as const)('a replaced file keeps %s, and says so', async ([, before, content, after, words]) => {
  const { workspace, intent, call } = aWorkspace({ 'a.txt': before })
  const card = (await intent(writeFile, { path: 'a.txt', content })) as { detail: string }
  expect(card.detail.endsWith(words.trim())).toBe(true)
  const result = await call(writeFile, { path: 'a.txt', content })
  expect(said(result)).toMatch(/^Replaced a\.txt \(\d+ bytes\)\./)
  expect(said(result).replace(/^.*?\)\./, '')).toBe(words)
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe(after)
})

test('UTF-16 stays, and what was in an older encoding is said to be UTF-8 now', async () => {
  const wide = { text: 'grün\r\n', encoding: 'utf16le', mark: true } as const
  const { workspace, call } = aWorkspace({
    'wide.txt': encodeText(wide),
    'latin.txt': Buffer.from('gr\xfcn', 'latin1'),
  })
  expect(said(await call(writeFile, { path: 'wide.txt', content: 'rot\n' }))).toBe(
    'Replaced wide.txt (12 bytes). It keeps its Windows line ends (CRLF) and its encoding (UTF-16).',
  )
  expect(readFileSync(join(workspace, 'wide.txt'))).toEqual(encodeText({ ...wide, text: 'rot\r\n' }))
  expect(said(await call(writeFile, { path: 'latin.txt', content: 'röt' }))).toBe(
    'Replaced latin.txt (4 bytes). It was not UTF-8, and is now.',
  )
})

test.for([
  ['folder', 'folder is a folder, so it cannot be written as a file.'],
  ['picture.png', 'picture.png is not text (8 bytes).'],
  ['notes.md/below.md', 'notes.md/below.md cannot be written: a file of that name is in the way.'],
  ['.ssh/config', 'config holds keys or passwords, so tools never open it. Ask the user for what you need.'],
])('%s is not written', async ([path, reason]) => {
  const { call } = aWorkspace({
    'folder/a': '',
    'notes.md': '',
    'picture.png': Buffer.from('89504e470d0a0000', 'hex'),
  })
  expect(await call(writeFile, { path, content: 'x' })).toEqual({ ok: false, reason })
})

test('no link leads out of the workspace, neither an old one nor one made after the approval', async () => {
  const { workspace, outside, put, call } = aWorkspace({ 'plain/a.txt': 'mine' })
  const victim = put(join(outside, 'a.txt'), 'theirs')
  symlinkSync(outside, join(workspace, 'link'))
  const between = () => {
    rmSync(join(workspace, 'plain'), { recursive: true })
    symlinkSync(outside, join(workspace, 'plain'))
  }
  const results = [
    await call(writeFile, { path: 'link/a.txt', content: 'x' }),
    await call(writeFile, { path: 'link/new.txt', content: 'x' }),
    await call(writeFile, { path: 'plain/a.txt', content: 'x' }, { between }),
  ]
  expect(results.map(result => result.ok)).toEqual([false, false, false])
  expect([readFileSync(victim, 'utf8'), existsSync(join(outside, 'new.txt'))]).toEqual(['theirs', false])
})

test('a link that appears at the last moment is detected too', async () => {
  const { workspace, outside, put } = aWorkspace()
  const victim = put(join(outside, 'a.txt'), 'theirs')
  symlinkSync(victim, join(workspace, 'a.txt'))
  symlinkSync(outside, join(workspace, 'folder'))
  mkdirSync(join(workspace, 'real'))
  for (const path of ['a.txt', 'folder/a.txt']) {
    expect(await replaceFile(join(workspace, path), 'x', path)).toEqual({
      ok: false,
      reason: `${path} became a link while it was written. Look at it again first.`,
    })
  }
  expect(readFileSync(victim, 'utf8')).toBe('theirs')
})

test('a link inside the workspace stays, and its target is written', async () => {
  const { workspace, call } = aWorkspace({ 'real.md': 'old' })
  symlinkSync('real.md', join(workspace, 'link.md'))
  expect(said(await call(writeFile, { path: 'link.md', content: 'new' }))).toBe('Replaced real.md (3 bytes).')
  expect(readFileSync(join(workspace, 'real.md'), 'utf8')).toBe('new')
})
