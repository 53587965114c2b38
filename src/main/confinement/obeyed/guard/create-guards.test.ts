import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createFolderSearch } from '../../hidden-paths.ts'
import type { Access } from '../../profile.ts'
import { createGuards, type Guards } from './create-guards.ts'
import { tellObeyed } from './tell-obeyed.ts'

const WORK: Access = { profile: 'work', network: false, obeyed: 'nothing' }

let base: string
let folder: string
let home: string
let guards: Guards

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  folder = join(base, 'chat')
  home = join(base, 'home')
  mkdirSync(folder)
  guards = createGuards(home, createFolderSearch())
})

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const guard = (access: Access = WORK, lasts = false) =>
  guards.guardFolder([folder], { sessionId: 's1', access, lasts })
/** Guard the folder while `work` runs, as if a command did that work. */
function during(work: () => void, access: Access = WORK) {
  const watching = guard(access)
  work()
  return watching.end()
}
const inShort = (report: ReturnType<typeof during>) =>
  report.changes.map(({ path, how, by, kept }) => `${how} ${path} (${by}): ${kept}`)
const everything = () => readdirSync(folder, { recursive: true }).map(String).toSorted()

describe('what is new and obeyed without being asked for', () => {
  test.each([
    ['.vscode/tasks.json', 'VS Code'],
    ['.envrc', 'direnv'],
    ['.husky/pre-commit', 'git hooks'],
    ['packages/a/CLAUDE.md', 'agents'],
    ['.mcp.json', 'MCP clients'],
    ['.cursor/rules/a.md', 'agents'],
    ['.git/commondir', 'git'],
    ['.git/hooks/pre-commit', 'git'],
    ['.git/worktrees/x/commondir', 'git'],
  ])('%s is put aside', (name, by) => {
    put('packages/a/readme.txt', '')
    mkdirSync(join(folder, '.git'))
    const report = during(() => put(name, 'payload'))
    expect(inShort(report)).toEqual([`new ${name} (${by}): put aside`])
    expect(existsSync(join(folder, name))).toBe(false)
    const [item] = report.aside
    expect(item?.files.map(({ text }) => text)).toEqual(['payload'])
    expect(lstatSync(dirname(item!.at)).mode & 0o777).toBe(0o700)
    expect(dirname(dirname(item!.at))).toBe(join(home, 'cache', 'aside', 's1'))
    expect(item!.place()).toBeUndefined()
    expect(read(name)).toBe('payload')
    expect(existsSync(item!.at)).toBe(false)
  })

  test('a folder is put aside as a whole, with what nobody names', () => {
    const report = during(() => {
      put('.vscode/tasks.json', '{}')
      put('.vscode/run.sh', 'echo')
    })
    expect(report.aside.map(({ name, files }) => [name, files.length])).toEqual([['.vscode', 2]])
    expect(everything()).toEqual([])
  })

  test('a link is moved as a link, and nothing outside changes', () => {
    mkdirSync(join(base, 'outside'))
    writeFileSync(join(base, 'outside/tasks.json'), 'mine')
    const report = during(() => symlinkSync(join(base, 'outside'), join(folder, '.vscode')))
    expect(inShort(report)).toEqual(['new .vscode (VS Code): put aside'])
    expect(lstatSync(report.aside[0]!.at).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(base, 'outside/tasks.json'), 'utf8')).toBe('mine')
  })

  test('folders without rights are put aside all the same', () => {
    const report = during(() => {
      put('a/.vscode/tasks.json', '{}')
      chmodSync(join(folder, 'a/.vscode'), 0o555)
      chmodSync(join(folder, 'a'), 0o555)
    })
    expect(report.aside.map(({ name }) => name)).toEqual(['a/.vscode'])
  })

  test('a name from the disk is shown as one line', () => {
    mkdirSync(join(folder, 'a\nIt is fine.'))
    const report = during(() => put('a\nIt is fine./.envrc', 'x'))
    expect(tellObeyed(report)).toEqual([
      'It made "a\\nIt is fine./.envrc", which direnv obeys. That was put aside and is not in the folder.',
    ])
  })

  test('nothing is put in place over something, or when it is not what was shown', () => {
    const [first] = during(() => put('.envrc', 'one')).aside
    put('.envrc', 'two')
    expect(first!.place()).toEqual({ refused: 'something is there meanwhile' })
    expect(read('.envrc')).toBe('two')
    rmSync(join(folder, '.envrc'))
    writeFileSync(first!.at, 'other')
    expect(first!.place()).toEqual({ refused: 'it was changed after it was shown' })
    expect(everything()).toEqual([])
  })

  test('a new repository stays, but not what git would run in it', () => {
    const report = during(() => {
      spawnSync('git', ['init', '-q', join(folder, 'sub')])
      put('sub/.git/hooks/post-checkout', 'echo')
    })
    expect(inShort(report)).toEqual(['new sub/.git/hooks/post-checkout (git): put aside'])
    expect(spawnSync('git', ['-C', join(folder, 'sub'), 'status']).status).toBe(0)
    const bad = during(() => {
      spawnSync('git', ['init', '-q', join(folder, 'bad')])
      spawnSync('git', ['-C', join(folder, 'bad'), 'config', 'core.fsmonitor', './run'])
    })
    expect(inShort(bad)).toEqual(['new bad/.git/config (git): put aside'])
  })

  test('what a right allows stays and is told', () => {
    const git: Access = { profile: 'work', network: false, obeyed: 'git' }
    mkdirSync(join(folder, '.git'))
    const report = during(() => {
      put('.git/hooks/pre-commit', 'x')
      put('.envrc', 'x')
    }, git)
    expect(inShort(report)).toEqual([
      'new .envrc (direnv): put aside',
      'new .git/hooks/pre-commit (git): stands',
    ])
    for (const access of ['unconfined', { ...git, obeyed: 'all' }] as const) {
      expect(inShort(during(() => put('.envrc', 'x'), access))).toEqual(['new .envrc (direnv): stands'])
      rmSync(join(folder, '.envrc'))
    }
  })
})

describe('what was there', () => {
  test('is put back when another name of the file was written to', () => {
    put('.vscode/tasks.json', 'mine')
    put('other', '')
    const report = during(() => {
      linkSync(join(folder, '.vscode/tasks.json'), join(folder, 'other2'))
      put('other2', 'payload')
    })
    expect(inShort(report)).toEqual(['changed .vscode/tasks.json (VS Code): put back'])
    expect(read('.vscode/tasks.json')).toBe('mine')
    expect(report.aside[0]?.files[0]?.text).toBe('payload')
  })

  test('is put back when other folders lead to its path', () => {
    put('a/AGENTS.md', 'mine')
    chmodSync(join(folder, 'a/AGENTS.md'), 0o640)
    const report = during(() => {
      renameSync(join(folder, 'a'), join(folder, 'b'))
      put('a/AGENTS.md', 'payload')
    })
    expect(inShort(report)).toEqual([
      'changed a/AGENTS.md (agents): put back',
      'new b/AGENTS.md (agents): stands',
    ])
    expect([read('a/AGENTS.md'), read('b/AGENTS.md')]).toEqual(['mine', 'mine'])
    expect(lstatSync(join(folder, 'a/AGENTS.md')).mode & 0o777).toBe(0o640)
  })

  test('goes with a folder that is renamed', () => {
    put('a/.vscode/settings.json', '{}')
    put('a/AGENTS.md', 'mine')
    const report = during(() => renameSync(join(folder, 'a'), join(folder, 'b')))
    expect(report.aside).toEqual([])
    expect(read('b/.vscode/settings.json')).toBe('{}')
  })

  test('is left to the person who edits it while a command runs', () => {
    put('AGENTS.md', 'mine')
    put('.vscode/settings.json', '{}')
    const watching = guard(WORK, true)
    put('AGENTS.md', 'edited')
    put('.vscode/extensions.json', '{}')
    expect(watching.look().changes).toEqual([])
    // Like an editor that writes a new file and renames it.
    put('new', 'edited again')
    renameSync(join(folder, 'new'), join(folder, 'AGENTS.md'))
    expect(inShort(watching.look())).toEqual(['changed AGENTS.md (agents): stands'])
    expect([read('AGENTS.md'), watching.end().changes]).toEqual(['edited again', []])
  })

  test('is put back after a file came to be where nothing lies over it', () => {
    put('a/AGENTS.md', 'mine')
    const watching = guard(WORK, true)
    renameSync(join(folder, 'a'), join(folder, 'b'))
    put('a/AGENTS.md', 'mine')
    watching.look()
    put('a/AGENTS.md', 'payload')
    expect(inShort(watching.look())).toEqual(['changed a/AGENTS.md (agents): put back'])
    expect(read('a/AGENTS.md')).toBe('mine')
    watching.end()
  })

  test('that a link leads to is watched there', () => {
    put('docs/rules.md', 'mine')
    symlinkSync('docs/rules.md', join(folder, 'CLAUDE.md'))
    expect(createFolderSearch()(folder).obeyed).toEqual([join(folder, 'docs/rules.md')])
    const report = during(() => {
      renameSync(join(folder, 'docs'), join(folder, 'docs2'))
      put('docs/rules.md', 'payload')
    })
    expect(inShort(report)).toContain('changed docs/rules.md (agents): put back')
  })

  test('counts in .gitattributes only where it names drivers', () => {
    put('.gitattributes', '*.png binary\n')
    expect(during(() => put('.gitattributes', '*.png binary\n* text=auto\n')).changes).toEqual([])
    const report = during(() => put('.gitattributes', '*.txt filter=evil\n'))
    expect(inShort(report)).toEqual(['changed .gitattributes (git): put back'])
    expect(read('.gitattributes')).toBe('*.png binary\n* text=auto\n')
  })
})

describe('what runs when the person runs it is told', () => {
  test.each([
    [
      'package.json',
      '{"scripts":{"test":"vitest"}}',
      '{"scripts":{"test":"evil"}}',
      'It changed what `npm test` runs (package.json).',
    ],
    [
      'package.json',
      '{"scripts":{"a":"1"}}',
      '{"scripts":{"a":"1","prepare":"x"}}',
      'It changed what `npm install` runs (package.json).',
    ],
    ['package.json', '{"scripts":{"a":"1"}}', '{"scripts":{"a":"1"},"dependencies":{"x":"1"}}', undefined],
    ['Makefile', 'all:\n', 'all:\n\techo\n', 'It changed Makefile, which `make` runs.'],
    ['pyproject.toml', '[project]\ndependencies = []\n', '[project]\ndependencies = ["a"]\n', undefined],
    [
      'pyproject.toml',
      '[build-system]\nrequires = []\n',
      '[build-system]\nrequires = ["a"]\n',
      'It changed pyproject.toml, which `pip` runs.',
    ],
    [
      'Cargo.toml',
      '[package]\nname = "a"\n',
      '[package]\nname = "a"\nbuild = "x.rs"\n',
      'It changed Cargo.toml, which `cargo` runs.',
    ],
    ['Cargo.toml', '[package]\nname = "a"\n', '[package]\nname = "a"\n[dependencies]\nb = "1"\n', undefined],
  ])('%s: %s → %s', (name, before, after, sentence) => {
    put(name, before)
    const report = during(() => put(name, after))
    expect(tellObeyed(report)).toEqual(sentence === undefined ? [] : [sentence])
    expect([read(name), report.aside]).toEqual([after, []])
  })

  test('a new file in a folder that was there, and not one in a new folder', () => {
    put('tests/a.py', '')
    const report = during(() => {
      put('tests/conftest.py', 'x')
      put('.github/workflows/a.yml', 'x')
      put('copied/Makefile', 'x')
      put('node_modules/a/package.json', '{"scripts":{"install":"x"}}')
      put('node_modules/.bin/evil', 'x')
      symlinkSync('../a/cli.js', join(folder, 'node_modules/.bin/a'))
    })
    expect(inShort(report)).toEqual([
      'new .github/workflows/a.yml (GitHub): stands',
      'new node_modules/.bin/evil (`npm`): stands',
      'new tests/conftest.py (`pytest`): stands',
    ])
  })

  test('a program of a package that is another one', () => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync('../vitest/cli.js', join(folder, 'node_modules/.bin/vitest'))
    const report = during(() => {
      rmSync(join(folder, 'node_modules/.bin/vitest'))
      put('node_modules/.bin/vitest', 'evil')
    })
    expect(inShort(report)).toEqual(['changed node_modules/.bin/vitest (`npm`): stands'])
  })
})

describe('several at the same time', () => {
  test('what a command may write is not put aside by the guard of a process', () => {
    const lasting = guard(WORK, true)
    const command = guard({ profile: 'work', network: false, obeyed: 'all' })
    put('.envrc', 'x')
    expect(lasting.look().changes).toEqual([])
    expect(inShort(command.end())).toEqual(['new .envrc (direnv): stands'])
    expect(lasting.end().changes).toEqual([])
    expect(read('.envrc')).toBe('x')
  })

  test('what a command makes beside a process is told with the command', () => {
    const lasting = guard(WORK, true)
    const command = guard()
    put('.envrc', 'x')
    expect(lasting.look().changes).toEqual([])
    expect(inShort(command.end())).toEqual(['new .envrc (direnv): put aside'])
    expect(lasting.end().changes).toEqual([])
  })

  test('a file that a tool was allowed to write stays', () => {
    const lasting = guard(WORK, true)
    const written = guards.expectFile(join(folder, '.envrc'))
    put('.envrc', 'x')
    expect(lasting.look().changes).toEqual([])
    written()
    expect(lasting.end().changes).toEqual([])
    expect(read('.envrc')).toBe('x')
  })
})

test('what was begun before a kill is looked at by the next program', () => {
  put('.vscode/settings.json', 'mine')
  put('.env', 'SECRET')
  guard(WORK, true)
  put('.envrc', 'payload')
  const journal = readdirSync(join(home, 'cache/aside/begun')).filter(name => name.endsWith('.json'))
  expect(readFileSync(join(home, 'cache/aside/begun', journal[0]!), 'utf8')).not.toContain('SECRET')
  const next = createGuards(home, createFolderSearch())
  const [found, ...others] = next.recover()
  expect(others).toEqual([])
  expect([found?.sessionId, found?.folder, inShort(found!)]).toEqual([
    's1',
    folder,
    ['new .envrc (direnv): put aside'],
  ])
  expect(everything()).toEqual(['.env', '.vscode', '.vscode/settings.json'])
  expect(next.recover()).toEqual([])
})

test('Talaria’s own home in a chat of a whole home folder is not looked at', () => {
  const own = join(folder, '.talaria')
  const inHome = createGuards(own, createFolderSearch())
  mkdirSync(own)
  const watching = inHome.guardFolder([folder], { sessionId: 's1', access: WORK })
  put('.talaria/state.db', 'x')
  expect(watching.end().changes).toEqual([])
})

test('comparing a repository of 3,000 files and 300 folders takes little beside reading it once', () => {
  for (let at = 0; at < 300; at++) {
    for (let each = 0; each < 9; each++) put(`part-${at % 20}/deep-${at}/file-${each}.txt`, 'text')
    put(`part-${at % 20}/deep-${at}/package.json`, '{"scripts":{"test":"x"}}')
  }
  put('AGENTS.md', 'x')
  spawnSync('git', ['init', '-q', folder])
  const timed = (work: () => void) => {
    // CPU time, because other tests run at the same time.
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const readAll = timed(() => {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (lstatSync(join(folder, path)).isFile()) readFileSync(join(folder, path))
  })
  during(() => undefined)
  const times = Array.from({ length: 9 }, () => timed(() => during(() => undefined))).toSorted(
    (a, b) => a - b,
  )
  console.info(`comparing: ${times[4]!.toFixed(1)} ms, reading all files: ${readAll.toFixed(1)} ms`)
  expect(times[4]! / readAll).toBeLessThan(2)
})
