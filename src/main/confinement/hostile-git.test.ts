import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { createFolderSearch } from './hidden-paths.ts'
import { findGitPrograms } from './git-programs.ts'
import { quietGit } from './quiet-git.ts'
import { openConfinement, type Confiner } from './open-confinement.ts'
import { LOOK, runConfined, WORK } from '../../../testing/confinement/run-confined.ts'

let base: string
let folder: string
let confiner: Confiner

const put = (name: string, text: string) => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode: 0o755 })
}
const git = (args: readonly string[], cwd = folder) => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const { status, stderr } = spawnSync('git', [...identity, '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

beforeAll(() => {
  base = aFolderToConfine()
  confiner = openConfinement({ home: join(base, 'home'), userHome: base, readable: () => [] })
})
afterAll(() => rmSync(base, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(base, 'folder-'))
  git(['init', '-q'])
  put('a.txt', 'one\n')
  git(['add', 'a.txt'])
  git(['commit', '-qm', 'First'])
  put('a.txt', 'two\n')
})

/** A program that only leaves a mark, in memory that ends with the command. */
const payload = (mark: string) => `sh -c 'touch /dev/shm/ran-${mark}; cat 2>/dev/null' ran`
const config = (text: string, file = '.git/config') => {
  const before = spawnSync('cat', [join(folder, file)], { encoding: 'utf8' }).stdout
  put(file, `${before}${text}\n`)
}

/** A way for a repository to start a program: the preparation, and the command that starts it. */
type Way = { name: string; command: string; prepare(): void }
const ways: Way[] = [
  {
    name: 'fsmonitor',
    command: 'git status',
    prepare: () => config(`[core]\n\tfsmonitor = "${payload('fsmonitor')}"`),
  },
  {
    name: 'external diff',
    command: 'git diff',
    prepare: () => config(`[diff]\n\texternal = "${payload('external')}"`),
  },
  {
    name: 'diff command of attributes',
    command: 'git diff',
    prepare() {
      config(`[diff "x y"]\n\tcommand = "${payload('command')}"`)
      put('.git/info/attributes', '* diff=x\n')
      config(`[diff "x"]\n\tcommand = "${payload('command')}"`)
    },
  },
  {
    name: 'text conversion',
    command: 'git diff',
    prepare() {
      config(`[diff.x]\n\ttextconv = "${payload('textconv')}"`)
      put('.gitattributes', '* diff=x\n')
    },
  },
  {
    name: 'clean filter',
    command: 'git status',
    prepare() {
      config(`[filter "f"]\n\tclean = "${payload('clean')}"\n\trequired = true`)
      put('.gitattributes', '*.txt filter=f\n')
    },
  },
  {
    name: 'filter process in an included file',
    command: 'git diff',
    prepare() {
      put('more.cfg', `[FILTER "F\\"q"]\n\tprocess = "${payload('process')}"\n`)
      config('[include]\n\tpath = "../more.cfg"')
      config(`[include]\n\tpath = ../again.cfg`)
      put('again.cfg', `[filter "g"]\n\tprocess = "${payload('process')}"\n`)
      put('.gitattributes', '*.txt filter=g\n')
    },
  },
  {
    name: 'hook after a change of the index',
    command: 'git status',
    prepare() {
      put('same.txt', 'same\n')
      git(['add', 'same.txt'])
      // A new time with the same contents makes git write the index again.
      utimesSync(join(folder, 'same.txt'), 0, 0)
      put('.git/hooks/post-index-change', `#!/bin/sh\n${payload('hook')}\n`)
    },
  },
  {
    name: 'signature program',
    command: 'git log --show-signature',
    prepare() {
      const signed = spawnSync('git', ['cat-file', 'commit', 'HEAD'], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout
      const at = signed.indexOf('\n\n')
      const body = `${signed.slice(0, at)}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----${signed.slice(at)}`
      const { stdout } = spawnSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
        cwd: folder,
        input: body,
        encoding: 'utf8',
      })
      git(['reset', '-q', '--soft', stdout.trim()])
      put('.git/sign', `#!/bin/sh\n${payload('signature')}\n`)
      config(`[gpg]\n\tprogram = ${join(folder, '.git/sign')}`)
    },
  },
  {
    name: 'filter of a submodule',
    command: 'git diff',
    prepare() {
      addSubmodule()
      config(`[filter "f"]\n\tclean = "${payload('submodule')}"`, '.git/modules/sub/config')
      config('[submodule "sub"]\n\tignore = none')
      put('sub/.gitattributes', '* filter=f\n')
      put('sub/a.txt', 'bus\n')
    },
  },
  {
    name: 'fsmonitor of a submodule',
    command: 'git status',
    prepare() {
      addSubmodule()
      config(`[core]\n\tfsmonitor = "${payload('submodule')}"`, '.git/modules/sub/config')
      config('[submodule "sub"]\n\tignore = none')
    },
  },
  {
    name: 'filter behind a .git file',
    command: 'cd inner && git diff',
    prepare() {
      put('inner/.git', 'gitdir: ../real\n')
      put('inner/a.txt', 'three\n')
      cpSync(join(folder, '.git'), join(folder, 'real'), { recursive: true })
      config(`[filter "f"]\n\tclean = "${payload('file')}"`, 'real/config')
      put('inner/.gitattributes', '* filter=f\n')
    },
  },
  {
    name: 'filter behind a link named .git',
    command: 'cd inner && git diff',
    prepare() {
      put('inner/a.txt', 'three\n')
      cpSync(join(folder, '.git'), join(folder, 'real'), { recursive: true })
      symlinkSync('../real', join(folder, 'inner/.git'))
      config(`[filter "f"]\n\tclean = "${payload('link')}"`, 'real/config')
      put('inner/.gitattributes', '* filter=f\n')
    },
  },
  {
    name: 'bare repository',
    command: 'cd bare && git status',
    prepare() {
      cpSync(join(folder, '.git'), join(folder, 'bare'), { recursive: true })
      config('[core]\n\tbare = false\n\tworktree = ..', 'bare/config')
      config(`[core]\n\tfsmonitor = "${payload('bare')}"`, 'bare/config')
    },
  },
  {
    name: 'merge driver',
    command: 'git log --remerge-diff',
    prepare() {
      git(['checkout', '-q', '-f', '-b', 'other'])
      put('a.txt', 'other\n')
      git(['commit', '-qam', 'Other'])
      git(['checkout', '-q', '-'])
      put('a.txt', 'mine\n')
      git(['commit', '-qam', 'Mine'])
      git(['merge', '-q', '-s', 'ours', '-m', 'Merged', 'other'])
      config(`[merge "m"]\n\tdriver = "${payload('merge')}"`)
      put('.gitattributes', '* merge=m\n')
      put('.git/info/attributes', '* merge=m\n')
    },
  },
  {
    name: 'transport of a remote',
    command: 'git ls-remote origin',
    prepare: () =>
      config(`[remote "origin"]\n\turl = "ext::${payload('transport')}"\n[protocol "ext"]\n\tallow = always`),
  },
  {
    name: 'ssh program',
    command: 'git ls-remote origin',
    prepare: () =>
      config(
        `[remote "origin"]\n\turl = ssh://host.invalid/x\n[core]\n\tsshCommand = "touch /dev/shm/ran-ssh;"`,
      ),
  },
  {
    name: 'pager',
    command: 'git --paginate log -1',
    prepare: () => config(`[core]\n\tpager = "${payload('pager')}"`),
  },
]

ways.push(
  {
    name: 'filter in a file that is included by way of the home',
    command: 'git diff',
    prepare() {
      put('more.cfg', `[filter "g"]\n\tprocess = "${payload('home')}"\n`)
      config(`[include]\n\tpath = ~/${basename(folder)}/more.cfg`)
      put('.gitattributes', '*.txt filter=g\n')
    },
  },
  {
    name: 'filter of a bare repository that the command names',
    command: 'git --git-dir=store --work-tree=. diff',
    prepare() {
      cpSync(join(folder, '.git'), join(folder, 'store'), { recursive: true })
      // The copied index is newer than the file. Only another length proves to git that the file changed.
      put('a.txt', 'three\n')
      config(`[filter "f"]\n\tclean = "${payload('store')}"`, 'store/config')
      put('.gitattributes', '* filter=f\n')
    },
  },
  {
    name: 'program for pages of the manual',
    command: 'git log --help',
    prepare: () => config(`[man]\n\tviewer = x\n[man "x"]\n\tcmd = "${payload('man')}"`),
  },
  {
    name: 'browser for pages of the manual',
    command: 'git help -w log',
    prepare: () =>
      config(
        `[help]\n\tbrowser = x\n\thtmlpath = https://host.invalid\n[browser "x"]\n\tcmd = "${payload('browser')}"`,
      ),
  },
)

function addSubmodule() {
  const origin = join(base, 'origin')
  mkdirSync(origin, { recursive: true })
  git(['init', '-q'], origin)
  writeFileSync(join(origin, 'a.txt'), 'sub\n')
  git(['add', 'a.txt'], origin)
  git(['commit', '-qm', 'Sub', '--allow-empty'], origin)
  git(['submodule', '--quiet', 'add', origin, 'sub'])
}

describe('a hostile repository starts nothing in Look', () => {
  for (const { name, command, prepare } of ways)
    confinedTest(name, async () => {
      prepare()
      const marks = 'echo; ls /dev/shm'
      const look = await runConfined(confiner, `${command}; ${marks}`, LOOK, { folder })
      expect(look.output).not.toContain('ran-')
      // The same in Work shows that the payload works, where git starts it without a terminal at all.
      const work = await runConfined(confiner, `${command}; ${marks}`, WORK, { folder })
      if (name !== 'pager') expect(work.output).toContain('ran-')
    })
})

confinedTest('git works in Look as usual', async () => {
  const run = async (command: string) => (await runConfined(confiner, command, LOOK, { folder })).output
  expect(await run('git status --short')).toBe(' M a.txt\n')
  expect(await run('git diff')).toContain('-one\n+two')
  expect(await run('git log --oneline')).toMatch(/^[0-9a-f]{7} First\n$/)
  expect(await run('git show --stat HEAD')).toContain('a.txt | 1 +')
  config('[diff]\n\texternal = nothing')
  expect(await run('git diff')).toContain('-one\n+two')
})

describe('what a repository names', () => {
  const look = () => findGitPrograms(folder, folder, createFolderSearch()(folder))

  test('is found in included files and in any spelling', () => {
    put('a.cfg', '[Filter "B \\"c"]\n[diff.UPPER]\n\ttextconv=x\n[include]\npath=b/c" "\\\nd.cfg ; more\n')
    put('b/c d.cfg', '[merge "m"] driver = x\n[hook "h"]\n')
    config('[include]\n\tpath = "../a.cfg"\n[submodule "s"]')
    expect(look()).toEqual({
      filter: ['B "c'],
      diff: ['upper'],
      merge: ['m'],
      hook: ['h'],
      submodule: ['s'],
      man: [],
      browser: [],
      has: { external: false, command: false, textconv: true },
    })
  })

  test('is refused if it is more than can be overridden', () => {
    config(Array.from({ length: 400 }, (_, at) => `[filter "f${at}"]`).join('\n'))
    expect(look()).toBe(undefined)
  })

  test('is overridden for an old git too', () => {
    config(`[filter "it's"]\n\tclean = x`)
    const env = quietGit(look()!, [2, 30])
    expect(env['GIT_CONFIG_COUNT']).toBe(undefined)
    const asked = spawnSync('git', ['config', "filter.it's.clean"], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    })
    expect({ status: asked.status, stdout: asked.stdout }).toEqual({ status: 0, stdout: '\n' })
  })
})
