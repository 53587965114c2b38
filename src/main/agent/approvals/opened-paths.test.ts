import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseShell } from '../../shell-safety/parse/parse-shell.ts'
import { firstOddKey } from '../../confinement/obeyed/git/git-keys.ts'
import { whyNotUnasked } from './opened-paths.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-opened-')))
  folder = join(root, 'chat')
  mkdirSync(folder)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (files: Record<string, string | { link: string }>) => {
  for (const [name, file] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof file === 'string') writeFileSync(path, file)
    else symlinkSync(file.link, path)
  }
}
const why = (command: string, { isConfined = false, at = folder } = {}) =>
  whyNotUnasked(parseShell(command, at, '/home/ada').commands, folder, isConfined)
const git = (where: string, ...words: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'protocol.file.allow=always', ...words],
    { cwd: where, stdio: 'pipe' },
  )

test.for([
  'cat link',
  'cat chain',
  'cat up/x',
  'cat sub/../link',
  'cat deep/../x',
  'cat dangling',
  'cat *',
  'cat ..*',
  'ls up/',
  'ls ..',
  'ls /',
  'wc -l < link',
  'cd up && ls',
  'diff sub sub2',
  'grep -r x .',
])('a path that leaves the folder, by its name or by a link: %s', command => {
  put({
    link: { link: '../outside' },
    chain: { link: 'link' },
    up: { link: '..' },
    dangling: { link: '/nowhere/x' },
    deep: { link: '../elsewhere/in' },
    'sub/a': '',
    'sub2/a': { link: '/etc/hostname' },
  })
  mkdirSync(join(root, 'elsewhere', 'in'), { recursive: true })
  expect(why(command)).toMatch(/outside|link out|too many|flag/)
})

test('what hides keys is found through links, wildcards and folders', () => {
  put({ '.env': '', plain: { link: '.env' }, 'sub/server.pem': '', 'clean/a': '' })
  const found = [
    'cat plain',
    'cat .e*',
    'cat ./*',
    'grep -r x .',
    'grep -r x sub',
    'rg x',
    'diff sub clean',
  ].map(each => why(each))
  expect(found.map(reason => reason?.includes('keys or passwords'))).toEqual(Array(found.length).fill(true))
  expect(['grep -r x clean', 'cat clean/*', 'ls', 'ls -la'].map(each => why(each))).toEqual(
    Array(4).fill(undefined),
  )
})

test('a file whose name is a flag does not become one by a wildcard', () => {
  put({ a: '', '-oout': '' })
  expect(why('sort *')).toMatch(/flag/)
  expect(why('sort ./*')).toBeUndefined()
})

test('`cd` needs its folder', () => {
  put({ 'sub/a': '' })
  expect(why('cd sub && ls')).toBeUndefined()
  expect(why('cd missing && ls')).toMatch(/missing/)
})

test('*Look* shows what everybody may know, and nothing else outside', () => {
  expect(why('cat /etc/os-release', { isConfined: true })).toBeUndefined()
  expect(why('ls /usr/share', { isConfined: true })).toBeUndefined()
  expect(why('cat /etc/hostname', { isConfined: true })).toMatch(/outside/)
})

describe('git, where nothing confines it', () => {
  test('runs in a plain repository, its worktrees and its submodules', () => {
    const other = join(root, 'other')
    mkdirSync(other)
    git(other, 'init', '-q')
    git(other, 'commit', '-q', '--allow-empty', '-m', 'x')
    git(folder, 'init', '-q')
    put({ a: '' })
    git(folder, 'add', 'a')
    git(folder, 'commit', '-q', '-m', 'x')
    git(folder, 'remote', 'add', 'origin', 'https://example.org/x.git')
    git(folder, 'submodule', '--quiet', 'add', other, 'sub')
    git(folder, 'worktree', 'add', '-q', join(folder, 'tree'))
    expect(why('git status')).toBeUndefined()
    expect(why('git log', { at: join(folder, 'tree') })).toBeUndefined()
    expect(why('git log', { at: join(folder, 'sub') })).toBeUndefined()
    // The filter of a submodule runs when the outer repository is asked for its status.
    git(join(folder, 'sub'), 'config', 'filter.x.clean', 'true')
    expect(why('git status')).toContain('filter.x.clean')
    expect(why('git log', { at: join(folder, 'sub') })).toContain('filter.x.clean')
  })

  test.for([
    ['core.fsmonitor', 'true'],
    ['diff.external', 'true'],
    ['include.path', 'other'],
    ['core.worktree', '/'],
    ['remote.origin.url', 'https://ada:secret@example.org/x'],
  ])('is asked about with %s', ([key, value]) => {
    git(folder, 'init', '-q')
    git(folder, 'config', key!, value!)
    expect(why('git status')).toContain(key)
  })

  test('is asked about in an index with a submodule that no file names', () => {
    git(folder, 'init', '-q')
    mkdirSync(join(folder, 'inner'))
    git(join(folder, 'inner'), 'init', '-q')
    git(join(folder, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'x')
    git(folder, 'add', 'inner')
    expect(why('git status')).toBeUndefined()
    git(join(folder, 'inner'), 'config', 'core.fsmonitor', 'true')
    expect(why('git status')).toContain('core.fsmonitor')
  })

  test('is asked about before it shows a tracked file with keys, confined or not', () => {
    git(folder, 'init', '-q')
    put({ '.env': '' })
    git(folder, 'add', '-f', '.env')
    expect([why('git diff'), why('git diff', { isConfined: true })]).toEqual(
      Array(2).fill(expect.stringContaining('.env')),
    )
    expect([why('git status'), why('git diff --stat')]).toEqual([undefined, undefined])
  })

  test.for(['post-index-change', 'unknown-to-us'])('is asked about with the hook %s', hook => {
    git(folder, 'init', '-q')
    put({ [`.git/hooks/${hook}`]: '' })
    expect(why('git status')).toContain(hook)
  })

  test.for([
    ['[core]\n\thooksPath = .githooks\n', '.githooks/post-index-change', '.githooks'],
    ['[include]\n\tpath = HERE/team.cfg\n', 'team.cfg', 'team.cfg'],
    ['[core]\n\tfsmonitor = tools/watch.sh\n', 'tools/watch.sh', 'tools/watch.sh'],
  ])('is asked about where the own configuration names %s', ([text, file, named]) => {
    git(folder, 'init', '-q')
    const home = mkdtempSync(join(tmpdir(), 'talaria-own-git-'))
    writeFileSync(join(home, '.gitconfig'), text!.replace('HERE', folder))
    vi.stubEnv('HOME', home)
    // This variable decides on Windows.
    vi.stubEnv('USERPROFILE', home)
    try {
      expect(why('git status')).toBeUndefined()
      put({ [file!]: '' })
      expect(why('git status')).toContain(named)
    } finally {
      vi.unstubAllEnvs()
      rmSync(home, { recursive: true })
    }
  })

  test('is asked about inside a bare repository', () => {
    git(folder, 'init', '-q', '--bare', 'docs')
    expect(why('git status', { at: join(folder, 'docs') })).toMatch(/repository itself/)
  })
})

test.for([
  ['[core]\n\tbare = false\n[remote "o"]\n\turl = git@example.org:a/b\n', undefined],
  ['[CORE]\nFSMonitor=x\n', 'core.fsmonitor'],
  ['[core] fsmonitor = x\n', '[core] fsmonitor = x'],
  ['[core]\nbare = false \\\n\tx\n', 'bare = false \\'],
  ['[diff "x"]\n\ttextconv = x', 'diff.x.textconv'],
  ['[branch "a.b"]\n\tremote = o\n\tmerge = refs/heads/a', undefined],
  ['bare = false', 'bare = false'],
] as const)('the first odd key of %j is %s', ([text, expected]) => {
  expect(firstOddKey(text)).toBe(expected)
})
