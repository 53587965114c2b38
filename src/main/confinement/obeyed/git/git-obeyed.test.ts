import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFolderSearch } from '../../hidden-paths.ts'
import { obeyedByGitAt } from '../who-obeys.ts'
import { findGitObeyed } from './git-obeyed.ts'
import { compareObeyed } from '../guard/compare-obeyed.ts'
import { listGitFiles, partsToCover } from './git-files.ts'
import { isHarmlessGitChange } from './harmless-git.ts'
import { readObeyed } from '../obeyed-state.ts'
import { nameOfSetting, readGitConfig } from './read-git-config.ts'

let home: string
let folder: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-git-obeyed-')))
  folder = join(home, 'work')
  mkdirSync(folder)
  git('init', '-q')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (name: string, text = '') => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
const git = (...args: string[]) => {
  const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always']
  return spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', env }).stdout
}
const find = (written = [folder]) => findGitObeyed(createFolderSearch()(folder), { written, userHome: home })
const look = (before?: ReturnType<typeof readObeyed>) =>
  readObeyed(createFolderSearch()(folder), folder, before)
const short = (paths: readonly string[]) => paths.map(path => path.replace(`${folder}/`, '')).toSorted()

describe('a configuration is read as git reads it', () => {
  test.for([
    '[core]\n\tbare = false\n',
    '[CORE] Bare = yes ; more\n',
    '[core]\n\thooksPath = "a b" # more\n\tpager = less \\\n  -F\n',
    '[filter "A \\"b\\" \\\\c"]\n\tclean = "x;y" z#w\n',
    '[alias]\n\tst = "!f() { git status; }; f"\n\tempty =\n\tx = a\\tb\\nc\n',
    '[include] path = x\n[remote.Origin]\n\turl = y\n',
    '\uFEFF[core]\r\n\teditor = vim\r\n# [core]\n; [x]\n[a "b.c"]\nk=v',
    '[a]\n\tk = " x "  \n\tl = "1" 2 "3"\n',
  ])('%j', text => {
    const file = put('some.cfg', text)
    const listed = git('config', '-f', file, '--no-includes', '--list', '-z').split('\0').filter(Boolean)
    const own = readGitConfig(text).filter(({ key }) => key !== '')
    expect(listed.length).toBeGreaterThan(0)
    expect(own.map(each => `${nameOfSetting(each)}\n${each.value}`)).toEqual(listed)
  })

  test('after a line at which git gives up, what follows still counts', () => {
    const names = readGitConfig('[core\n= x\n[filter "a"]\n\tclean = b\n"\n[diff "c"] command = d')
    expect(names.map(nameOfSetting)).toEqual(expect.arrayContaining(['filter.a.clean', 'diff.c.command']))
  })
})

describe('what git obeys is found', () => {
  test('in a new repository: what is there, and what could come', () => {
    const { existing, missing, compared } = find()
    expect(short(existing)).toEqual(expect.arrayContaining(['.git/config', '.git/hooks']))
    const others = [
      '.git/commondir',
      '.git/config.worktree',
      '.git/info/attributes',
      '.git/objects/info/alternates',
    ]
    expect(short(missing)).toEqual(expect.arrayContaining(others))
    expect(compared).toEqual([])
    // Nothing of what git writes all the time.
    expect(
      short([...existing, ...missing]).filter(path => /HEAD|refs|index|logs|info\/exclude/.test(path)),
    ).toEqual([])
  })

  test('through a configuration that another one includes, in the home and with a condition', () => {
    writeFileSync(join(home, '.gitconfig'), '[includeIf "gitdir:~/work/"]\n\tpath = ~/work/team.cfg\n')
    put('team.cfg', '[core]\n\thooksPath = hooks\n[include]\n\tpath = deeper/more.cfg\n')
    put('hooks/pre-commit')
    const { existing, missing } = find()
    expect(short(existing)).toEqual(expect.arrayContaining(['team.cfg', 'hooks']))
    expect(short(missing)).toContain('deeper/more.cfg')
  })

  test('for each repository that includes the same file', () => {
    put('team.cfg', '[core]\n\thooksPath = .hooks\n')
    for (const name of ['a', 'b']) {
      git('init', '-q', name)
      git('-C', name, 'config', 'include.path', '../../team.cfg')
      put(`${name}/.hooks/x`)
    }
    expect(short(find().existing)).toEqual(expect.arrayContaining(['a/.hooks', 'b/.hooks']))
  })

  test('never as the whole folder, or as one in which a repository lies', () => {
    put('.gitattributes')
    git('init', '-q', 'part/inner')
    for (const place of ['.', '..', 'part', join(folder, '.')]) {
      git('config', 'core.hooksPath', place)
      git('config', 'core.attributesFile', place)
      const { existing } = find()
      expect
        .soft(
          existing.filter(path => [folder, home, join(folder, 'part')].includes(path)),
          place,
        )
        .toEqual([])
    }
    expect(short(find().missing)).toContain('pre-commit')
  })

  test('in places that a person named beside the folder, and not outside of all', () => {
    const given = join(home, 'given')
    mkdirSync(join(given, 'hooks'), { recursive: true })
    git('config', 'core.hooksPath', join(given, 'hooks'))
    expect(find().existing).not.toContain(join(given, 'hooks'))
    expect(find([folder, given]).existing).toContain(join(given, 'hooks'))
  })

  test('words of texts and folders are no programs', () => {
    for (const name of ['.gitmessage', '.ignore-revs', 'src/main', 'main']) put(name)
    git('config', 'commit.template', '.gitmessage')
    git('config', 'blame.ignoreRevsFile', '.ignore-revs')
    git('config', 'branch.main.merge', 'src/main')
    git('config', 'alias.s', '!git log src main')
    expect(short(find().existing).filter(path => !path.startsWith('.git/'))).toEqual([])
  })

  test('mounts are never made over links, and what is too much for them is compared', () => {
    put('real/pre-commit')
    symlinkSync('real', join(folder, 'link'))
    git('config', 'core.hooksPath', 'link')
    const found = find()
    expect(short(found.existing)).toEqual(expect.arrayContaining(['link', 'real']))
    expect(short(partsToCover(found))).not.toContain('link')
    for (let at = 0; at < 300; at++) put(`r/${at}/.git/config`)
    expect(partsToCover(find()).length).toBe(250)
    expect(short(partsToCover(find()))).toEqual(expect.arrayContaining(['.git/config', 'real']))
    expect(short(listGitFiles(find()).map(({ path }) => path))).toContain('r/299/.git/config')
  })

  test('for one file that a tool would write', () => {
    writeFileSync(join(home, '.gitconfig'), '[core]\n\tpager = tools/page.sh\n')
    git('config', 'core.hooksPath', '.githooks')
    put('.git/hooks/pre-commit', './check.sh\n')
    put('check.sh')
    const at = (name: string) => obeyedByGitAt(folder, join(folder, name), home)
    for (const name of ['.githooks/pre-commit', '.git/hooks/x', '.git/commondir', 'tools/page.sh'])
      expect.soft(at(name), name).toEqual({ tier: 1, by: 'git' })
    expect(at('check.sh')).toEqual({ tier: 2, by: 'git hooks' })
    for (const name of ['.git/index', 'src/a.ts', '.git', 'tools/other.sh'])
      expect.soft(at(name), name).toBeUndefined()
  })

  test('where nothing can be read, nothing is thrown', () => {
    symlinkSync('loop', join(folder, 'loop'))
    git('config', 'core.hooksPath', 'loop')
    git('config', 'include.path', `../${'x'.repeat(300)}`)
    put('sub/.git', `gitdir: ${'../'.repeat(2_000)}\n`)
    put('odd/.git', '\0\n')
    expect(() => look()).not.toThrow()
  })
})

test('every kind of change is seen', () => {
  put('hooks/pre-commit', 'a')
  git('config', 'core.hooksPath', 'hooks')
  symlinkSync('a.cfg', join(folder, 'link.cfg'))
  git('config', 'include.path', '../link.cfg')
  put('.git/hooks/pre-push.sample')
  const before = look()
  put('.git/hooks/post-merge.sample')
  put('.git/HEAD', 'ref: refs/heads/other\n')
  put('.git/index', 'x')
  expect(compareObeyed(before, look(before))).toEqual([])
  put('hooks/pre-commit', 'b')
  put('hooks/new', '')
  rmSync(join(folder, 'link.cfg'))
  symlinkSync('b.cfg', join(folder, 'link.cfg'))
  put('a.cfg', '')
  put('.git/commondir', 'x')
  put('.git/config', '')
  put('.git/unknown', '')
  const changed = compareObeyed(before, look(before)).map(each => (each.after ?? each.before).path)
  // Although the configuration no longer names them.
  const first = ['.git/commondir', '.git/config', '.git/unknown', 'a.cfg', 'hooks/pre-commit', 'link.cfg']
  expect(short(changed)).toEqual(first)
})

describe('a change is harmless', () => {
  const judge = (name: string, after: string | undefined, before?: string) =>
    isHarmlessGitChange(join(folder, name), before, after, {
      known: [join(folder, '.git')],
      written: [folder],
    })

  test('in what git and ordinary tools write for a new repository', () => {
    git('commit', '-q', '--allow-empty', '-m', 'x')
    git('worktree', 'add', '-q', 'tree')
    git('clone', '-q', '--bare', '.', 'bare')
    git('clone', '-q', '--shared', '.', 'copy')
    git('submodule', '--quiet', 'add', './bare', 'sub')
    const known = { known: [join(folder, '.git')], written: [folder] }
    const files = listGitFiles(find()).filter(({ path }) => path !== join(folder, '.git/config'))
    expect(files.length).toBeGreaterThan(6)
    for (const { path } of files) {
      const text = spawnSync('cat', [path], { encoding: 'utf8' }).stdout
      expect.soft(isHarmlessGitChange(path, undefined, text, known), path).toBe(true)
    }
  })

  const core = '[core]\n\tbare = false\n'
  test.for<[name: string, after: string | undefined, isHarmless: boolean, before?: string]>([
    ['.git/config', core, true],
    ['.git/config', `${core}[remote "o"]\n\turl = https://example.org/x\n`, true],
    ['.git/config', `${core}[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\trequired = true\n`, true],
    ['.git/config', `${core}[filter "lfs"]\n\tclean = ./git-lfs clean -- %f\n`, false],
    ['.git/config', `${core}\tpager = x\n`, true, `${core}\tpager = x\n[a]\n\tb = c\n`],
    ['.git/config', `${core}\tpager = y\n`, false, `${core}\tpager = x\n`],
    ['.git/config', `${core}\tfsmonitor = x\n`, false],
    ['.git/config', `${core}\tprotectNTFS = false\n`, false],
    ['.git/config', `${core}\thooksPath = .git/hooks\n`, false],
    ['.git/config', '[include]\n\tpath = x\n', false],
    ['.git/config', '[remote "o"]\n\turl = ext::x\n', false],
    ['.git/config', '[remote "o"]\n\turl = git-x+y::z\n', false],
    ['.git/config', '[branch "b"]\n\tremote = ext::x\n', false],
    ['.git/config', '[remote "o"]\n\turl = b\n', false, '[remote "o"]\n\turl = a\n'],
    ['.git/config', '[core]\n\tworktree = /\n', false],
    ['.git/hooks/pre-commit.sample', 'x', true],
    ['.git/hooks/pre-commit', 'x', false],
    ['.git/hooks/pre-commit', undefined, false, 'x'],
    ['gone/.git/hooks/pre-commit', undefined, true, 'x'],
    ['.git/commondir', '../..\n', false],
    ['.git/worktrees/a/commondir', '../..\n', true],
    ['.git/worktrees/a/commondir', '../../..\n', false],
    ['.git/info/exclude', 'x', true],
    ['.git/info/attributes', '* filter=x', false],
    [
      '.gitattributes',
      '* text=auto eol=lf\n*.png filter=lfs diff=lfs merge=lfs -text\n*.py diff=python\n# filter=x\n',
      true,
    ],
    ['.gitattributes', '*.txt diff=own', false],
    ['.gitmodules', '[submodule "a"]\n\tpath = a\n\turl = ../a\n', true],
    ['.gitmodules', '[submodule "a"]\n\turl = ext::x\n', false],
    ['.gitmodules', '[submodule "a"]\n\tupdate = !x\n', false],
    ['.git/objects/info/alternates', '/nowhere/objects\n', false],
    ['.git/rebase-merge/git-rebase-todo', 'pick 1 x\nreword 2 exec\n', true],
    ['.git/rebase-merge/git-rebase-todo', 'pick 1\n  X make\n', false],
    ['.git/rebase-merge/strategy', 'ort\n', true],
    ['.git/rebase-merge/strategy', 'x/y\n', false],
    ['.git/sequencer/opts', '[options]\n\tstrategy = x/y\n', false],
    ['.git/BISECT_NAMES', " 'src/a;b'\n", true],
    ['.git/BISECT_NAMES', ' ; x\n', false],
    ['tree/.git', 'gitdir: ../evil\n', false],
    ['tree/.git', 'gitdir: ../.git/worktrees/nowhere\n', false],
    ['.husky/pre-commit', 'x', false],
  ])('%s to %j: %s', ([name, after, isHarmless, before]) => {
    expect(judge(name, after, before)).toBe(isHarmless)
  })
})
