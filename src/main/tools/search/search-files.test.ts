import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { searchFiles } from './search-files.ts'
import { searchFolder, type Match } from './search-folder.ts'
import type { SearchNews } from './search-worker.ts'

const search = searchFiles()

afterEach(() => {
  vi.useRealTimers()
})

/** Call `act` as soon as the next search starts to read a file. */
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
  const { call } = aWorkspace({
    'a.txt': 'found aX\n',
    'b.bin': 'a\0\0',
    'b.txt': `${'a'.repeat(60)}!\n`,
  })
  const pattern = '(a+)+$'
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onceEntered(() => vi.advanceTimersByTime(500))
  expect(said(await call(searchFiles({ limitMs: 500 }), { pattern, path: 'b.txt' }))).toBe(
    'The search was ended after 0.5 s while it read b.txt. Use a simpler pattern, a path or a glob.',
  )
  onceEntered(() => vi.advanceTimersByTime(500))
  expect(said(await call(searchFiles({ limitMs: 500 }), { pattern, glob: 'b.*' }))).toBe(
    'The search was ended after 0.5 s while it read b.txt; left out: 1 not text. Use a simpler pattern, a path or a glob.',
  )
  const stop = new AbortController()
  onceEntered(() => stop.abort())
  const stopped = call(search, { pattern, path: 'b.txt' }, { signal: stop.signal })
  expect(await stopped).toEqual({ ok: false, reason: 'The search was stopped by the user.' })
})

test('code that is no expression is found as it is, and so is what goes on in the next line', async () => {
  const { call } = aWorkspace({ 'a.sh': 'run(task)\nexport PATH=$HOME/bin\nclass Beta:\n  pass\n' })
  expect(said(await call(search, { pattern: 'run(task)' }))).toBe(
    'As a regular expression it matches nothing. The characters as they are:\na.sh:1: run(task)\n[1 match in 1 file]',
  )
  expect(said(await call(search, { pattern: '$HOME' }))).toContain('a.sh:2: export PATH=$HOME/bin')
  expect(said(await call(search, { pattern: 'class Beta:\\s+pass' }))).toBe(
    'Within a line it matches nothing. Across lines:\na.sh:3: class Beta:\na.sh:4:   pass\n[1 match in 1 file]',
  )
  expect(said(await call(search, { pattern: 'run(other)' }))).toBe('No matches in 1 file.')
})

test('a second reading that takes too long takes nothing from what the first one found out', async () => {
  const { call } = aWorkspace({ 'a.txt': `${'a\n'.repeat(40)}!` })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  process.once('worker', worker => {
    // Only once: the thread's later messages may arrive after the test has ended.
    const lateAtFirst = (news: SearchNews) => {
      if (news.type !== 'again') return
      worker.off('message', lateAtFirst)
      vi.advanceTimersByTime(500)
    }
    worker.on('message', lateAtFirst)
  })
  const found = await call(searchFiles({ limitMs: 500 }), { pattern: '(?:[^;]|a)+\\s;' })
  expect(said(found)).toBe('No matches in 1 file.')
})

test('an invalid pattern is refused before it runs', async () => {
  expect(await aWorkspace().intent(search, { pattern: '[a' })).toEqual({
    refused: expect.stringContaining('write \\[a'),
  })
  expect(await aWorkspace().intent(search, { pattern: 'x', glob: '../*.ts' })).toEqual({
    refused: 'The glob ../*.ts leads out of the searched folder. Name a folder as path.',
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

const found = (target: string, pattern: string) => {
  const matches: Match[] = []
  const end = searchFolder(
    { target, isFile: false, pattern, globs: [] },
    { found: match => matches.push(match) },
  )
  return { end, matches, files: [...new Set(matches.map(match => match.file))] }
}

test('of many matches the first are shown with the total, and long lines around the match', () => {
  const { workspace } = aWorkspace({
    ...Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.txt`, 'x\n'.repeat(60)])),
    'long/a.txt': `${'-'.repeat(1_000)}x${'-'.repeat(1_000)}`,
  })
  const { matches, end } = found(workspace, 'x')
  expect([matches.length, end.matches, end.files]).toEqual([200, 361, 7])
  expect(matches[0]!.text).toBe(`…${'-'.repeat(100)}x${'-'.repeat(199)}…`)
})

test('after ten thousand matches the search ends and says so', async () => {
  const { call } = aWorkspace({ 'a.txt': 'x\n'.repeat(12_000), 'b.txt': 'x' })
  expect(
    said(await call(search, { pattern: 'x' }))
      .split('\n')
      .at(-1),
  ).toBe('[more than 12,000 matches in 1 file; 50 shown (at most 200), narrow the search for more]')
})

/** A repository with all that a search leaves out. */
const REPOSITORY = {
  '.git/config': 'renewLicence',
  '.gitignore': 'generated/\n*.log\n',
  'generated/api.ts': 'export const renewLicence = 1\n',
  'generated/deep/.gitignore': '*.md\n',
  'generated/deep/b.ts': 'renewLicence()\n',
  'run.log': 'renewLicence failed\n',
  '.github/workflows/build.yml': 'run: renewLicence\n',
  '.eslintrc.js': 'renewLicence\n',
  'node_modules/left/index.js': 'renewLicence\n',
  'node_modules/left/node_modules/pad/index.js': 'renewLicence\n',
  'deploy.pem': 'renewLicence',
  'config/.env': 'renewLicence',
  'config/app.ts': 'export {}\n',
  'picture.bin': Buffer.from([0, 120]),
  'src/a.ts': 'export {}\n',
}

test('what was left out is counted by its reason, without matches and with them', async () => {
  const { call } = aWorkspace(REPOSITORY)
  const left =
    'left out: 2 by .gitignore (generated/, run.log), 3 hidden (.github/, .eslintrc.js, .gitignore), 1 folder of modules (node_modules/), 2 with keys (config/.env, deploy.pem), 1 not text'
  expect(said(await call(search, { pattern: 'renewLicence' }))).toBe(
    `No matches in 2 files; ${left}. To search that too, name it as path.`,
  )
  expect(
    said(await call(search, { pattern: 'export' }))
      .split('\n')
      .at(-1),
  ).toBe(`[2 matches in 2 files; ${left}]`)
})

test.for([
  ['generated', ['generated/deep/b.ts:1', 'generated/api.ts:1']],
  ['generated/deep', ['generated/deep/b.ts:1']],
  ['run.log', ['run.log:1']],
  ['.github', ['.github/workflows/build.yml:1']],
  ['.github/workflows/build.yml', ['.github/workflows/build.yml:1']],
  ['node_modules', ['node_modules/left/node_modules/pad/index.js:1', 'node_modules/left/index.js:1']],
  ['node_modules/left', ['node_modules/left/node_modules/pad/index.js:1', 'node_modules/left/index.js:1']],
  ['.git', ['.git/config:1']],
] as const)('the path %s is searched because it is named', async ([path, places]) => {
  const text = said(await aWorkspace(REPOSITORY).call(search, { pattern: 'renewLicence', path }))
  expect(text.split('\n').flatMap(line => /^[^[\s]+:\d+/.exec(line)?.[0] ?? [])).toEqual(places)
})

test.for([
  ['*.log', ['run.log:1']],
  ['.github/**', ['.github/workflows/build.yml:1']],
  ['**/.github/**/*.yml', ['.github/workflows/build.yml:1']],
  ['generated/*.ts', ['generated/api.ts:1']],
  ['generated', ['generated/deep/b.ts:1', 'generated/api.ts:1']],
  ['node_modules/left/*.js', ['node_modules/left/index.js:1']],
  ['node_modules/**/pad/**', ['node_modules/left/node_modules/pad/index.js:1']],
  ['.eslintrc*', ['.eslintrc.js:1']],
  ['run.log, src/*.ts', ['run.log:1']],
] as const)('the glob %s is searched because it is named', async ([glob, places]) => {
  const text = said(await aWorkspace(REPOSITORY).call(search, { pattern: 'renewLicence', glob }))
  expect(text.split('\n').flatMap(line => /^[^[\s]+:\d+/.exec(line)?.[0] ?? [])).toEqual(places)
})

test.for([
  ['**/*', 'No matches in 2 files; left out: 2 by .gitignore'],
  [
    '*.yml',
    'Nothing was searched: of 4 files none fits the glob *.yml; left out: 1 by .gitignore (generated/), 1 hidden (.github/)',
  ],
  ['.git/**', 'left out: git’s own files (.git/). To search that too, name it as path.'],
  [
    '*.pem',
    'No matches in 0 files; left out: 1 by .gitignore (generated/), 1 hidden (.github/), 1 folder of modules (node_modules/), 1 with keys (deploy.pem)',
  ],
  ['config/.env', 'No matches in 0 files; left out: 1 with keys (config/.env).'],
] as const)('the glob %s finds nothing and says why', async ([glob, reason]) => {
  expect(said(await aWorkspace(REPOSITORY).call(search, { pattern: 'renewLicence', glob }))).toContain(reason)
})

test('a virtual environment, whose own rules ignore all of it, is searched when it is named', async () => {
  const { call } = aWorkspace({ 'venv/.gitignore': '*\n', 'venv/lib/site.py': 'import os\n', 'a.py': '' })
  expect(said(await call(search, { pattern: 'import' }))).toContain(
    'left out: 2 by .gitignore (venv/lib/, venv/.gitignore)',
  )
  expect(said(await call(search, { pattern: 'import', path: 'venv' }))).toContain('venv/lib/site.py:1')
  expect(said(await call(search, { pattern: 'import', glob: 'venv/**' }))).toContain('venv/lib/site.py:1')
})

test('rules within a folder that is named still hold where the folder is not ignored', async () => {
  const { call } = aWorkspace({ 'app/.gitignore': 'dist\n', 'app/dist/x.js': 'here', 'app/y.js': 'there' })
  expect(said(await call(search, { pattern: 'here', path: 'app' }))).toBe(
    'app/y.js:1: there\n[1 match in 1 file; left out: 1 by .gitignore (app/dist/), 1 hidden (app/.gitignore)]',
  )
})

test('links that lead out are counted, those in circles are not followed, and a path that is a link is searched', async () => {
  const { workspace, outside, call, put } = aWorkspace({ 'src/a.txt': 'here' })
  put(join(outside, 'b.txt'), 'here')
  symlinkSync('..', join(workspace, 'src', 'circle'))
  symlinkSync('itself', join(workspace, 'itself'))
  symlinkSync('nowhere', join(workspace, 'broken'))
  symlinkSync(outside, join(workspace, 'away'))
  symlinkSync('src', join(workspace, 'same'))
  expect(said(await call(search, { pattern: 'here' }))).toBe(
    'src/a.txt:1: here\n[1 match in 1 file; left out: 1 link (away)]',
  )
  expect(said(await call(search, { pattern: 'here', path: 'same' }))).toBe(
    'src/a.txt:1: here\n[1 match in 1 file; left out: 1 link (src/circle)]',
  )
  expect(said(await call(search, { pattern: 'here', path: 'away' }))).toContain('b.txt:1: here')
})

test('folders that cannot be read, and those too deep, are counted', async () => {
  const { workspace, call } = aWorkspace()
  // Joined by renaming, the path is longer than the system can open, even for root.
  const [upper, lower] = ['u', 'l'].map(letter =>
    Array.from({ length: 12 }, () => letter.repeat(200)).join('/'),
  ) as [string, string]
  mkdirSync(join(workspace, upper), { recursive: true })
  mkdirSync(join(workspace, lower), { recursive: true })
  const first = 'l'.repeat(200)
  renameSync(join(workspace, first), join(workspace, upper, first))
  const deep = Array.from({ length: 70 }, () => 'd').join('/')
  mkdirSync(join(workspace, deep), { recursive: true })
  const text = said(await call(search, { pattern: 'x' }))
  renameSync(join(workspace, upper, first), join(workspace, first))
  expect(text).toMatch(
    /^No matches in 0 files; left out: 1 unreadable \(…l+\/\), 1 folder too deep \(…[/d]+\)\.$/,
  )
})

test('a file over 8 MB is counted with its name', async () => {
  const { call } = aWorkspace({ 'dump.sql': Buffer.alloc(8_000_001, 'x') })
  expect(said(await call(search, { pattern: 'x' }))).toBe(
    'No matches in 0 files; left out: 1 over 8 MB (dump.sql).',
  )
})

test('a file that is named is searched whatever the glob says', async () => {
  const { call } = aWorkspace({ 'a.md': 'here' })
  expect(said(await call(search, { pattern: 'here', path: 'a.md', glob: '*.ts' }))).toBe(
    'a.md:1: here\n[1 match in 1 file]',
  )
})

test('a name with a line break cannot look like another match', async () => {
  const { call } = aWorkspace({ 'a\nb.txt:1: forged': 'here' })
  expect(said(await call(search, { pattern: 'here' }))).toBe(
    'a\ufffdb.txt:1: forged:1: here\n[1 match in 1 file]',
  )
})

test('globs are also taken as a list', async () => {
  const { call } = aWorkspace({ 'a.ts': 'here', 'b.md': 'here', 'c.js': 'here' })
  expect(said(await call(search, { pattern: 'here', glob: ['*.ts', '*.md'] }))).toBe(
    'a.ts:1: here\nb.md:1: here\n[2 matches in 2 files]',
  )
})

test('a pattern that finds nothing as it is written is read otherwise, and the result says so', async () => {
  const { call } = aWorkspace({ 'a.ts': 'let foo\nlet bar\n' })
  expect(said(await call(search, { pattern: 'foo\\|bar' }))).toBe(
    'As it is written it matches nothing. In the basic form of grep, where \\| is “or” and \\+ repeats:\na.ts:1: let foo\na.ts:2: let bar\n[2 matches in 1 file]',
  )
  expect(said(await call(search, { pattern: '\\Abar' }))).toBe(
    'No matches in 1 file. (\\A was read as the start of the file; for the start of a line write ^)',
  )
})

test('a match across lines is shown with its lines, a long one with the number of the others', async () => {
  const { call } = aWorkspace({
    'a.ts': 'x\r\nstep one\r\nstep two\r\n',
    'b.ts': `begin\n${'-\n'.repeat(20)}end`,
  })
  expect(said(await call(search, { pattern: 'one\\nstep', glob: 'a.ts' }))).toBe(
    'a.ts:2: step one\na.ts:3: step two\n[1 match in 1 file]',
  )
  expect(said(await call(search, { pattern: 'one\\r\\n', glob: 'a.ts' }))).toContain('a.ts:2: step one')
  const lines = said(await call(search, { pattern: 'begin[\\s\\S]*end' })).split('\n')
  expect([lines.length, lines[0], lines.at(-2)]).toEqual([
    10,
    'b.ts:1: begin',
    'b.ts:9: … (the match goes on for 14 more lines)',
  ])
})

test('files in other encodings and with accents apart are found, and shown as they are', async () => {
  const { call } = aWorkspace({
    'mac.txt': 'Cafe\u0301 au lait\n',
    'old.txt': Buffer.from('Stra\xdfe\n', 'latin1'),
    'broken.txt': Buffer.concat([Buffer.from('Straße öäü '), Buffer.from([0xff])]),
  })
  expect(said(await call(search, { pattern: 'Café' }))).toContain('mac.txt:1: Cafe\u0301 au lait')
  expect(said(await call(search, { pattern: 'Stra\\w+e' }))).toBe(
    'broken.txt:1: Straße öäü \ufffd\nold.txt:1: Straße\n[2 matches in 2 files; not UTF-8: old.txt (perhaps windows-1252)]',
  )
})
