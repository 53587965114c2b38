import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { aWorkspace, said } from '../../../testing/tools/a-workspace.ts'
import { searchFiles } from './search-files.ts'
import { searchFolder, type Match } from './search-folder.ts'
import type { SearchNews } from './search-worker.ts'

const search = searchFiles()

afterEach(() => {
  vi.useRealTimers()
})

/** Act when the next search has begun to read a file. */
function onceEntered(act: () => void): void {
  process.once('worker', worker => {
    worker.on('message', (news: SearchNews) => news.type === 'enter' && act())
  })
}

test('matching lines are listed by file and line', async () => {
  const { call } = aWorkspace({
    'a.md': 'one\r\nTwo todo\r\n',
    'src/b.ts': '// TODO: more\nconst x = 1\n',
  })
  expect(await call(search, { pattern: 'todo' })).toEqual({
    ok: true,
    text: 'src/b.ts:1: // TODO: more\na.md:2: Two todo\n[2 matches in 2 files]',
  })
  expect(said(await call(search, { pattern: 'todo', path: 'src' }))).toBe(
    'src/b.ts:1: // TODO: more\n[1 match in 1 file]',
  )
  expect(said(await call(search, { pattern: '^const', path: 'src/b.ts' }))).toBe(
    'src/b.ts:2: const x = 1\n[1 match in 1 file]',
  )
  expect(said(await call(search, { pattern: 'nothing' }))).toBe('No matches in 2 files.')
})

test('a regular expression that takes too long is stopped, and the place is named', async () => {
  const { call } = aWorkspace({ 'a.txt': 'found aX\n', 'b.txt': `${'a'.repeat(60)}!\n` })
  const pattern = '(a+)+$'
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onceEntered(() => vi.advanceTimersByTime(500))
  expect(said(await call(searchFiles({ limitMs: 500 }), { pattern, path: 'b.txt' }))).toBe(
    'The search was ended after 0.5 s while it read b.txt. Use a simpler pattern, a path or a glob.',
  )
  const stop = new AbortController()
  onceEntered(() => stop.abort())
  const stopped = call(search, { pattern, path: 'b.txt' }, { signal: stop.signal })
  expect(await stopped).toEqual({ ok: false, reason: 'The search was stopped by the user.' })
})

test('an invalid pattern is refused before it runs', async () => {
  expect(await aWorkspace().intent(search, { pattern: '[a' })).toEqual({
    refused: expect.stringContaining('write \\[a'),
  })
})

test('the intent names the pattern and the folder', async () => {
  const { workspace, intent } = aWorkspace({ 'src/b.ts': '' })
  const folder = join(workspace, 'src')
  expect(await intent(search, { pattern: 'x', path: 'src', glob: '*.ts' })).toEqual({
    title: 'Search for x in src',
    detail: `x\n${folder}\nonly *.ts`,
    risk: 'read',
    inWorkspace: true,
    folder,
    path: folder,
  })
  expect(await intent(search, { pattern: 'x', path: 'src/b.ts' })).toMatchObject({ folder })
})

const found = (target: string, pattern: string, glob = '') => {
  const matches: Match[] = []
  const end = searchFolder({ target, isFile: false, pattern, glob }, match => matches.push(match))
  return { end, matches, files: [...new Set(matches.map(match => match.file))] }
}

test('hidden, ignored, binary and secret files are left out', () => {
  const { workspace } = aWorkspace({
    'a.txt': 'x',
    '.gitignore': 'out\n',
    'out/b.txt': 'x',
    '.hidden/c.txt': 'x',
    'node_modules/d/d.txt': 'x',
    'deploy.pem': 'x',
    'config/.env': 'x',
    'picture.bin': Buffer.from([0, 120]),
  })
  expect(found(workspace, 'x')).toMatchObject({ files: ['a.txt'], end: { searched: 1, skipped: 1 } })
})

test.for([
  ['*.ts', ['src/b.ts', 'a.ts']],
  ['*.{ts,tsx}', ['src/b.ts', 'src/c.tsx', 'a.ts']],
  ['src/**', ['src/b.ts', 'src/c.tsx']],
  ['./src/*.tsx', ['src/c.tsx']],
  ['!*.ts', ['src/c.tsx', 'd.md']],
  ['{{{', []],
] as const)('the glob %s', ([glob, files]) => {
  const { workspace } = aWorkspace({ 'a.ts': 'x', 'src/b.ts': 'x', 'src/c.tsx': 'x', 'd.md': 'x' })
  expect(found(workspace, 'x', glob).files).toEqual(files)
})

test('of many matches the first are shown with the total, and long lines around the match', () => {
  const { workspace } = aWorkspace({
    ...Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.txt`, 'x\n'.repeat(60)])),
    'long/a.txt': `${'-'.repeat(1_000)}x${'-'.repeat(1_000)}`,
  })
  const { matches, end } = found(workspace, 'x')
  expect([matches.length, end.matches, end.files]).toEqual([200, 361, 7])
  expect(matches[0]!.text).toBe(`…${'-'.repeat(100)}x${'-'.repeat(199)}…`)
})
