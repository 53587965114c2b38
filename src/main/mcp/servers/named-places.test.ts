import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { confinedTest } from '../../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../../testing/confinement/folder-to-confine.ts'
import { runPrepared } from '../../../../testing/confinement/run-confined.ts'
import { LocalMcpServer } from '../../../shared/contract/connections/mcp.ts'
import { openConfinement } from '../../confinement/open-confinement.ts'
import { commandConfinement } from '../../confinement/sandbox-setting.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { judgePlaces } from './named-places.ts'
import { prepareStart } from '../connections/start-program.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-named-')))
const FOLDERS =
  `user/.talaria/workspace user/.talaria/connections/one user/notes user/.ssh user/.config/gh user/.config/app
  user/.config/chromium/Default user/.tool user/project/data code/dist code/node_modules data`.split(/\s+/)
const FILES =
  `code/package.json code/dist/server.mjs user/alone.py user/notes/a.db user/.config/app.json user/.bashrc user/.tool/x.json
  user/bin/tool user/.local/bin/tool user/.config/autostart/a.desktop user/.config/fish/config.fish user/.emacs user/.emacs.d/init.el
  user/.oh-my-zsh/a.zsh user/.config/nvim/init.lua user/go/bin/tool user/go/src/a.go user/Library/LaunchAgents/a.plist
  user/.local/share/applications/a.desktop user/.local/lib/python3.11/a.py user/.pyenv/shims/python user/.bun/bin/bun
  user/.ssh/id_rsa user/.ssh/run.mjs user/.config/gh/hosts.yml user/project/data/b.txt data/memory.db user/notes/CLAUDE.md`.split(
    /\s+/,
  )
beforeAll(() => {
  for (const folder of FOLDERS) mkdirSync(join(base, folder), { recursive: true })
  for (const file of FILES) {
    mkdirSync(dirname(join(base, file)), { recursive: true })
    writeFileSync(join(base, file), '')
  }
  symlinkSync(join(base, 'user/.ssh'), join(base, 'user/notes/link'))
  symlinkSync(join(base, 'user'), join(base, 'up'))
  symlinkSync(join(base, 'user/.ssh'), join(base, 'user/project/out'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const at = (path: string) => `${base}/${path}`
const short = (paths: readonly string[]) => paths.map(path => path.slice(base.length + 1))

/** Return the paths that a server is given, relative to the test's folder, or why it is not started. */
function places(given: Partial<LocalMcpServer> & { project?: string }, root?: string) {
  const { project, ...entry } = given
  const server = { ...LocalMcpServer.parse({ name: 'one', command: 'node', ...entry }), project }
  const judged = judgePlaces(server, at('user/.talaria'), root, at('user'))
  if (isRefusal(judged)) return judged
  return { readable: short(judged.readable), writable: short(judged.writable) }
}
/** The same of an entry that a project brings. */
const inProject = (given: Partial<LocalMcpServer>) =>
  places({ cwd: at('user/project'), ...given, project: at('user/project') })

test.for([
  ['the package of its code', [at('code/dist/server.mjs')], ['code'], []],
  ['a folder', [at('user/notes')], [], ['user/notes']],
  ['a folder behind an option', [`--root=${at('data')}`], [], ['data']],
  ['a folder in the home by its short name', ['~/notes'], [], ['user/notes']],
  ['the folder of a file', ['--db', at('user/notes/a.db')], ['user/notes/a.db'], ['user/notes']],
  ['the folder of a file that is still missing', [at('data/memory.json')], [], ['data']],
  [
    'a file alone beside settings',
    [at('user/.config/app.json')],
    ['user/.config/app.json'],
    ['user/.config/app.json'],
  ],
  [
    'a file alone in a hidden folder of settings',
    ['~/.tool/x.json'],
    ['user/.tool/x.json'],
    ['user/.tool/x.json'],
  ],
  ['a file alone in a home', [at('user/alone.txt')], [], []],
  ['no missing file beside settings', [at('user/.config/new.json')], [], []],
  ['no place that is missing', [at('none/memory.json')], [], []],
  [
    'no home folder, and nothing around one',
    [at('user'), '/', base, at('user/.bashrc')],
    ['user/.bashrc'],
    [],
  ],
  ['no home folder in another case', [at('USER'), at('user/.SSH')], [], []],
  ['no home folder by a link or a way around', [at('up'), at('user/notes/..'), '~'], [], []],
  ['a key to read, and never its folder', ['~/.ssh/id_rsa', at('user/notes/link')], ['user/.ssh/id_rsa'], []],
  ['no folder that is around hidden places', [at('user/.config')], [], []],
  ['no profile of a browser', [at('user/.config/chromium')], [], []],
  ['nothing that agents obey', ['~/notes/CLAUDE.md'], ['user/notes/CLAUDE.md'], []],
  ["nothing of Talaria's own", [at('user/.talaria'), at('user/.talaria/state.db')], [], []],
  [
    'no folder of the system or of all programs',
    ['/etc', '/usr/local', '/tmp', '/var/tmp', '/run/x'],
    [],
    [],
  ],
  ['no words that only look like a path', ['a/b', './user', '../..'], [], []],
] as const)('what a command names is given: %s', ([, args, readable, writable]) => {
  expect(places({ args: [...args] })).toEqual({ readable, writable })
})

const HOME = /home folder/
const TALARIA = /Talaria's own/
const HIDDEN = /hidden from programs/

test.for([
  ['the home', at('user'), HOME],
  ['the home by its short name', '~', HOME],
  ['the home in another case', at('USER'), HOME],
  ['the home by a link', at('up'), HOME],
  ['a parent of the home', base, HOME],
  ['everything', '/', /whole file system/],
  ['the home by dots', at('user/notes/..'), HOME],
  ['keys', at('user/.ssh'), HIDDEN],
  ['keys in another case', at('user/.SSH'), HIDDEN],
  ['keys by a link', at('user/notes/link'), HIDDEN],
  ['keys by a link in the project', at('user/project/out'), HIDDEN],
  ['a key', at('user/.ssh/id_rsa'), HIDDEN],
  ['a login', '~/.config/gh/hosts.yml', HIDDEN],
  ['keys that are not there yet', '~/.aws/credentials', HIDDEN],
  ['a profile of a browser', '~/.config/chromium/Default', HIDDEN],
  ['all settings', '~/.config', /hidden places/],
  ["Talaria's home", at('user/.talaria'), TALARIA],
  ["something in Talaria's home", at('user/.talaria/state.db'), TALARIA],
  ['the folder of another server', at('user/.talaria/connections/two'), TALARIA],
  ['what the shell obeys', '~/.bashrc', /your shell/],
] as const)('an entry of a project that names %s is refused, however it names it', ([, path, why]) => {
  const refused = { refused: expect.stringMatching(why) }
  expect(inProject({ args: [path] })).toEqual(refused)
  expect(inProject({ args: ['--root', `--dir=${path}`] })).toEqual(refused)
  expect(inProject({ env: { PLACE: path } })).toEqual(refused)
  // The user's own entry may name the path, but gets no right to write to it.
  const own = places({ args: [path], env: { PLACE: path } })
  expect(own).toMatchObject({ writable: [] })
})

test.for(
  `bin .local/bin .local/bin/tool .config/autostart .config/fish .emacs .emacs.d .oh-my-zsh .config/nvim go go/bin Library/LaunchAgents
  .local/share/applications .local/lib/python3.11 .pyenv .pyenv/shims .bun .BUN/bin`.split(/\s+/),
)('no server writes in ~/%s, where programs of the person lie or obey what is there', name => {
  const path = at(`user/${name}`)
  const why = { refused: expect.stringMatching(/would obey|finds programs/) }
  expect(inProject({ args: [path] })).toEqual(why)
  expect(places({ cwd: path })).toEqual(why)
  expect(places({ args: [path] })).toMatchObject({ writable: [] })
})

test('an entry of a project gets nothing where programs keep their settings', () => {
  for (const path of ['~/.config/app', '~/.config/app.json', '~/.tool', '~/.tool/x.json'])
    expect(inProject({ args: [path] })).toMatchObject({ writable: [] })
  expect(places({ args: ['~/.tool'] })).toMatchObject({ writable: ['user/.tool'] })
  expect(inProject({ args: ['~/go/src'] })).toMatchObject({ writable: ['user/go/src'] })
})

test.for([
  ['the home', at('user'), HOME],
  ['a parent of the home', base, HOME],
  ['everything', '/', /whole file system/],
  ['keys', at('user/.ssh'), HIDDEN],
  ['keys by a link', at('user/notes/link'), HIDDEN],
  ['all settings', at('user/.config'), /hidden places/],
  ["Talaria's home", at('user/.talaria'), TALARIA],
  ["a folder of Talaria's home", at('user/.talaria/workspace'), TALARIA],
  ['the folder of another server', at('user/.talaria/connections/two'), TALARIA],
  ['what all programs share', '/var/tmp', /all programs share/],
  ['the system', '/etc', /system/],
] as const)('no server works in %s, whoever wrote its entry', ([, cwd, why]) => {
  expect(places({ cwd })).toEqual({ refused: expect.stringMatching(why) })
  expect(inProject({ cwd })).toEqual({ refused: expect.stringMatching(/not inside the folder/) })
})

test('an entry of a project works in the project, and writes to single files outside', () => {
  expect(inProject({})).toEqual({ readable: [], writable: [] })
  expect(inProject({ cwd: at('user/project/data') })).toEqual({ readable: [], writable: [] })
  expect(inProject({ cwd: at('user/project/out') })).toEqual({
    refused: expect.stringMatching(/not inside the folder/),
  })
  expect(inProject({ cwd: at('user/notes') })).toEqual({
    refused: expect.stringMatching(/not inside the folder/),
  })
  const file = ['user/notes/a.db']
  expect(inProject({ args: ['~/notes/a.db'] })).toEqual({ readable: file, writable: file })
  expect(inProject({ args: ['~/notes/new.db'] })).toEqual({ readable: [], writable: [] })
  expect(inProject({ args: ['~/notes'] })).toEqual({ readable: [], writable: ['user/notes'] })
  expect(inProject({ args: [at('user/project/data/b.txt')] })).toMatchObject({ writable: [] })
})

test('a project that is a home, or lies among keys, has no servers', () => {
  for (const project of [at('user'), base, '/', at('user/.talaria'), at('user/.ssh')])
    expect(places({ cwd: project, project })).toEqual({ refused: expect.stringMatching(/^The folder is /) })
  expect(places({ cwd: at('user/.talaria/workspace'), project: at('user/.talaria/workspace') })).toEqual({
    readable: [],
    writable: [],
  })
})

test('code among keys is not run for a project, and shows no key beside it', () => {
  const args = [at('user/.ssh/run.mjs')]
  expect(inProject({ args })).toEqual({ refused: expect.stringMatching(HIDDEN) })
  expect(places({ args })).toEqual({ readable: ['user/.ssh/run.mjs'], writable: [] })
})

test('variables of every program name no places', () => {
  expect(inProject({ env: { HOME: at('user'), PATH: '/', TMPDIR: '/tmp' } })).toEqual({
    readable: [],
    writable: [],
  })
})

test('variables name places too', () => {
  expect(places({ env: { MEMORY_FILE_PATH: at('data/memory.json') } })).toMatchObject({ writable: ['data'] })
})

test('the folder of the chat is given, also inside the home of Talaria, but never a whole home', () => {
  expect(places({}, at('data'))).toMatchObject({ writable: ['data'] })
  expect(places({}, at('user/.talaria/workspace'))).toMatchObject({ writable: ['user/.talaria/workspace'] })
  for (const root of [at('user'), base, '/', at('gone'), at('user/.ssh')])
    expect(places({}, root)).toMatchObject({ writable: [] })
})

confinedTest(
  'a confined server reads its code and writes to the chat and the folder that its command names, below /tmp too',
  async () => {
    const folder = aFolderToConfine()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const secret = at('data/secret.txt')
    writeFileSync(secret, 'hidden')
    writeFileSync(at('user/notes/.env'), 'KEY=hidden')
    writeFileSync(
      at('code/dist/server.mjs'),
      `import { readFileSync, writeFileSync } from 'node:fs'
    const tried = work => { try { return work() } catch (error) { return error.code } }
    const [folder, secret] = process.argv.slice(2)
    const chat = folder.replace('notes', 'chat')
    console.log(JSON.stringify([
      tried(() => (writeFileSync(folder + '/b.txt', 'written'), 'written')),
      tried(() => (writeFileSync(chat + '/c.txt', 'written'), 'written')),
      tried(() => (writeFileSync(import.meta.filename, ''), 'written')),
      tried(() => readFileSync(folder + '/.env', 'utf8')),
      tried(() => readFileSync(secret.slice(2), 'utf8')),
    ]))`,
    )
    const confiner = openConfinement({ home: folder, readable: () => [] })
    const server = LocalMcpServer.parse({
      name: 'one',
      command: process.execPath,
      args: [at('code/dist/server.mjs'), at('user/notes'), `x:${secret}`],
    })
    const chat = at('user/chat')
    mkdirSync(chat)
    const parts = {
      home: folder,
      commands: commandConfinement(confiner, { sandbox: () => 'on', isOffline: () => false }),
      keyOf: () => undefined,
      loginPath: async () => process.env['PATH'] ?? '',
    } as const
    const ended = await runPrepared(async () => {
      const start = await prepareStart(server, { mark: 'mark', root: chat }, parts)
      return 'refused' in start ? start : { ...start.confined!, env: start.env, cwd: start.cwd }
    })
    if ('refused' in ended) throw new Error(ended.refused)
    expect(JSON.parse(ended.output)).toEqual(['written', 'written', 'EROFS', 'EACCES', 'ENOENT'])
    expect(readFileSync(at('user/notes/b.txt'), 'utf8')).toBe('written')
  },
)
