import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createFolderSearch } from '../../hidden-paths.ts'
import { createGuards } from './create-guards.ts'

let base: string
let folder: string
let maxFolders: number | undefined

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ways-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  folder = join(base, 'chat')
  mkdirSync(folder)
  maxFolders = undefined
})

const at = (name: string) => join(folder, name)
const put = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

/** Guard the folder while `work` runs, as if a confined command did it a moment later. */
async function during(work: () => void) {
  await setTimeout(120)
  const guards = createGuards(join(base, 'home'), createFolderSearch(maxFolders))
  const access = { profile: 'work', network: false, obeyed: 'nothing' } as const
  const watching = guards.guardFolder([folder], { sessionId: 's1', access })
  work()
  const report = watching.end()
  return { ...report, told: report.changes.map(({ how, path, kept }) => `${how} ${path}: ${kept}`) }
}

test('what the person had stays where it is when a link makes it obeyed', async () => {
  put('rules.txt', 'Be tidy.')
  put('notes.txt', 'Mine.')
  put('tools/run.txt', 'Mine.')
  symlinkSync('rules.txt', at('CLAUDE.md'))
  const { told } = await during(() => {
    rmSync(at('CLAUDE.md'))
    symlinkSync('notes.txt', at('CLAUDE.md'))
    symlinkSync('tools', at('.vscode'))
  })
  expect(told).toEqual(['new .vscode: put aside', 'changed CLAUDE.md: put back'])
  expect(readlinkSync(at('CLAUDE.md'))).toBe('rules.txt')
  expect([readFileSync(at('notes.txt'), 'utf8'), existsSync(at('tools/run.txt'))]).toEqual(['Mine.', true])
})

test('a folder that was there and gets a name that is obeyed is put aside all the same', async () => {
  put('drafts/tasks.json', '{}')
  const { told } = await during(() => renameSync(at('drafts'), at('.vscode')))
  expect(told).toEqual(['new .vscode/tasks.json: put aside'])
})

test('a link in place of a folder that leads to instructions is put aside', async () => {
  put('docs/rules.txt', 'Be tidy.')
  put('other/rules.txt', 'Do x.')
  symlinkSync('docs/rules.txt', at('CLAUDE.md'))
  await during(() => {
    renameSync(at('docs'), at('before'))
    symlinkSync('other', at('docs'))
  })
  expect(lstatSync(at('docs'), { throwIfNoEntry: false })?.isSymbolicLink()).not.toBe(true)
  expect(readFileSync(at('other/rules.txt'), 'utf8')).toBe('Do x.')
})

test('a folder that may be entered but not listed hides nothing', async () => {
  const { told } = await during(() => {
    put('.vscode/tasks.json', '{}')
    put('pkg/.envrc', 'x')
    for (const name of ['.vscode', 'pkg']) chmodSync(at(name), 0o311)
  })
  expect(told).toEqual(['new .vscode/tasks.json: put aside', 'new pkg/.envrc: put aside'])
  expect(statSync(at('pkg')).mode & 0o777).toBe(0o311)
})

test('many new folders hide neither what is obeyed as a folder nor what lies in folders that were there', async () => {
  put('packages/web/src/a.ts', '')
  maxFolders = 12
  const { told } = await during(() => {
    for (let each = 0; each < 40; each++) mkdirSync(at(`m${each}/a/b`), { recursive: true })
    put('.vscode/tasks.json', '{}')
    put('packages/web/src/.envrc', 'x')
  })
  expect(told).toEqual(['new .vscode/tasks.json: put aside', 'new packages/web/src/.envrc: put aside'])
})

test('what an .envrc sources is obeyed as the .envrc itself', async () => {
  put(
    '.envrc',
    '# source not-this.sh\nsource tools/env.sh\n[ -f x.sh ] && . "$PWD/x.sh"\ndotenv\nuse flake\n',
  )
  put('tools/env.sh', 'export A=1')
  expect(createFolderSearch()(folder).obeyed).toEqual([at('tools/env.sh')])
  const { told } = await during(() => {
    for (const name of ['x.sh', '.env', 'flake.nix', 'not-this.sh', '.envrc.local', '.envrc.example'])
      put(name, 'y')
  })
  expect(told).toEqual(['.env', '.envrc.local', 'flake.nix', 'x.sh'].map(name => `new ${name}: put aside`))
})

test('a program is another one when its size and the time of its content are as before', async () => {
  const writeSame = (name: string) => {
    const { atime, mtime, size } = statSync(at(name))
    writeFileSync(at(name), 'y'.repeat(size))
    utimesSync(at(name), atime, mtime)
  }
  put('.yarn/releases/yarn.cjs', 'x'.repeat(300_000))
  put('node_modules/tool/cli.js', 'x')
  mkdirSync(at('node_modules/.bin'))
  symlinkSync('../tool/cli.js', at('node_modules/.bin/tool'))
  const { told } = await during(() => {
    for (const name of ['.yarn/releases/yarn.cjs', 'node_modules/tool/cli.js']) writeSame(name)
  })
  expect(told).toEqual(['changed .yarn/releases/yarn.cjs: stands', 'changed node_modules/.bin/tool: stands'])
})

test('of what is put aside only so much is read as can be shown, and what is larger is not put in place', async () => {
  const { aside } = await during(() => {
    put('.vscode/tasks.json', 'x')
    truncateSync(at('.vscode/tasks.json'), 2 ** 40)
  })
  expect(aside[0]?.files[0]?.text.length).toBeLessThan(5_000)
  expect(aside[0]?.place()).toEqual({
    refused: expect.stringMatching(/^it is too large to be shown; it lies in /) as unknown,
  })
  expect(existsSync(at('.vscode'))).toBe(false)
})

test('a program that only gets its rights anew is the same', async () => {
  put('node_modules/tool/cli.js', 'x')
  mkdirSync(at('node_modules/.bin'))
  symlinkSync('../tool/cli.js', at('node_modules/.bin/tool'))
  expect((await during(() => chmodSync(at('node_modules/tool/cli.js'), 0o755))).told).toEqual([])
})

test('what names programs in a package.json is told by who runs it', async () => {
  put('package.json', '{}')
  const { changes } = await during(() =>
    put(
      'package.json',
      '{"packageManager":"x@https://h.invalid/x.tgz","dependencies":{"a":"^1.0.0","b":"file:./b"}}',
    ),
  )
  expect(changes.map(({ by }) => by)).toEqual(['`npm install`, `npm`'])
})
