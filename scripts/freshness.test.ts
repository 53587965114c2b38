import { execFile } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test as base } from 'vitest'
import { isBuilt, isFresh, removeStamp, takeStamp, writeStamp } from './freshness.mjs'

const FILES = {
  'package.json': '{"version":"1.0.0"}',
  'package-lock.json': '{}',
  'node_modules/.package-lock.json': '{}',
  'src/main/cli/index.ts': "console.log('from the sources', process.argv.slice(2), process.env.INIT_CWD)\n",
  'src/main/a.ts': 'export const a = 1\n',
  'src/main/a.test.ts': 'export {}\n',
  'out/main/cli.js': "console.log('built', process.argv.slice(2), process.env.INIT_CWD)\n",
  'out/main/headless.js': '',
  'out/preload/index.cjs': '',
  'out/renderer/index.html': '',
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** A small project whose build is fresh. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
const test = base.extend('root', async ({}, { onCleanup }) => {
  const root = mkdtempSync(join(tmpdir(), 'talaria-freshness-'))
  onCleanup(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(FILES)) put(root, path, text)
  for (const script of ['freshness.mjs', 'talaria.mjs']) {
    mkdirSync(join(root, 'scripts'), { recursive: true })
    copyFileSync(join(import.meta.dirname, script), join(root, 'scripts', script))
  }
  writeStamp(root, takeStamp(root))
  expect(isFresh(root)).toBe(true)
  return root
})

/** Give a file another text of the same length and keep its modification time, as some editors do. */
function changeUnseen(file: string): void {
  const { atime, mtime } = statSync(file)
  writeFileSync(file, readFileSync(file, 'utf8').replace('1', '2'))
  utimesSync(file, atime, mtime)
}

test.for<[string, (root: string) => void]>([
  ['edited', root => appendFileSync(join(root, 'src/main/a.ts'), '//\n')],
  ['edited, with its size and time kept', root => changeUnseen(join(root, 'src/main/a.ts'))],
  ['added', root => put(root, 'src/main/b.ts', '')],
  ['added in a new folder', root => put(root, 'src/new/b.ts', '')],
  ['removed', root => rmSync(join(root, 'src/main/a.ts'))],
  ['renamed', root => renameSync(join(root, 'src/main/a.ts'), join(root, 'src/main/b.ts'))],
  ['moved', root => renameSync(join(root, 'src/main/a.ts'), join(root, 'src/a.ts'))],
  ['of the lockfile changed', root => put(root, 'package-lock.json', '{ }')],
  ['of another version installed', root => put(root, 'node_modules/.package-lock.json', '{ }')],
  ['of the configuration added', root => put(root, 'tsconfig.web.json', '{}')],
  ['of this check edited', root => appendFileSync(join(root, 'scripts/freshness.mjs'), '//\n')],
])('a build is stale after a file was %s', ([, change], { root }) => {
  change(root)
  expect(isFresh(root)).toBe(false)
  // Asking again does not make it fresh.
  expect(isFresh(root)).toBe(false)
})

test.for<[string, (root: string) => void]>([
  ['touched', root => utimesSync(join(root, 'src/main/a.ts'), 1_000, 1_000)],
  [
    'written anew with the same text',
    root => put(root, 'src/main/a.ts', readFileSync(join(root, 'src/main/a.ts'), 'utf8')),
  ],
  ['a test that was edited', root => appendFileSync(join(root, 'src/main/a.test.ts'), '//\n')],
  ['a test that was added', root => put(root, 'src/main/b.test.ts', '')],
  ['left by an editor', root => put(root, 'src/main/.a.ts.swp', 'x')],
])('a build stays fresh after a file was %s', ([, change], { root }) => {
  change(root)
  expect(isFresh(root)).toBe(true)
})

test('what was changed back is fresh again', ({ root }) => {
  const file = join(root, 'src/main/a.ts')
  const before = readFileSync(file)
  appendFileSync(file, '//\n')
  expect(isFresh(root)).toBe(false)
  writeFileSync(file, before)
  expect(isFresh(root)).toBe(true)
})

test('a copy of the project is fresh although all its times are new', ({ root }) => {
  const copy = join(root, 'copy')
  for (const part of ['src', 'out', 'scripts', 'node_modules', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  const { seen } = takeStamp(copy)
  expect(seen).not.toEqual(takeStamp(root).seen)
  expect(isFresh(copy)).toBe(true)
  // From then on the times alone are enough.
  expect(JSON.parse(readFileSync(join(copy, 'out/stamp.json'), 'utf8'))).toMatchObject({ seen })
})

test('what was made with another version of Node is stale', ({ root }) => {
  writeStamp(root, { ...takeStamp(root), node: 'v20.0.0' })
  expect(isFresh(root)).toBe(false)
})

test('without a stamp, with a broken one, or with a part missing, a build is not fresh', ({ root }) => {
  rmSync(join(root, 'out/preload/index.cjs'))
  expect(isFresh(root)).toBe(false)
  put(root, 'out/preload/index.cjs', '')
  expect(isFresh(root)).toBe(true)
  writeFileSync(join(root, 'out/stamp.json'), '{"listing":')
  expect(isFresh(root)).toBe(false)
  removeStamp(root)
  expect([isFresh(root), isBuilt(root)]).toEqual([false, true])
})

const talaria = (root: string) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/talaria.mjs'), '--version'], {
    env: { ...process.env, INIT_CWD: '/where/the/person/stands' },
  })

test('`npm run talaria` runs the build while it is fresh, and says so when it is not', async ({ root }) => {
  const ran = (what: string) => `${what} [ '--version' ] /where/the/person/stands\n`
  expect(await talaria(root)).toEqual({ stdout: ran('built'), stderr: '' })
  appendFileSync(join(root, 'src/main/a.ts'), '//\n')
  expect(await talaria(root)).toEqual({
    stdout: ran('from the sources'),
    stderr: 'out/ is older than the sources, so they run instead. “npm run build” brings it up to date.\n',
  })
  rmSync(join(root, 'out'), { recursive: true })
  expect(await talaria(root)).toEqual({ stdout: ran('from the sources'), stderr: '' })
})
