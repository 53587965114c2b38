import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { confinedTest } from '../../../testing/can-confine.ts'
import { aFolderToConfine } from '../../../testing/folder-to-confine.ts'
import { runPrepared } from '../../../testing/run-confined.ts'
import { LocalMcpServer } from '../../shared/contract/mcp.ts'
import { openConfinement } from '../confinement/open-confinement.ts'
import { commandConfinement } from '../confinement/sandbox-setting.ts'
import { namedPlaces } from './named-places.ts'
import { prepareStart } from './start-program.ts'

const base = mkdtempSync(join(tmpdir(), 'talaria-named-'))
beforeAll(() => {
  for (const folder of ['user/.talaria/workspace', 'user/notes', 'code/dist', 'code/node_modules', 'data'])
    mkdirSync(join(base, folder), { recursive: true })
  for (const file of ['code/package.json', 'code/dist/server.mjs', 'user/alone.py', 'user/notes/a.db'])
    writeFileSync(join(base, file), '')
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const places = (given: Partial<LocalMcpServer>, root?: string) => {
  const server = LocalMcpServer.parse({ name: 'one', command: 'node', ...given })
  const { readable, writable } = namedPlaces(server, join(base, 'user/.talaria'), root, join(base, 'user'))
  const short = (paths: readonly string[]) => paths.map(path => path.slice(base.length + 1))
  return { readable: short(readable), writable: short(writable) }
}
const at = (path: string) => `${base}/${path}`

test.for([
  ['the package of its code', [at('code/dist/server.mjs')], ['code'], []],
  ['a folder', [at('user/notes')], [], ['user/notes']],
  ['a folder behind an option', [`--root=${at('data')}`], [], ['data']],
  ['the folder of a file', ['--db', at('user/notes/a.db')], ['user/notes/a.db'], ['user/notes']],
  ['the folder of a file that is still missing', [at('data/memory.json')], [], ['data']],
  ['no place that is missing', [at('none/memory.json')], [], []],
  ['no home folder, and nothing around one', [at('user'), '/', base, at('user/.bashrc')], [], []],
  ["nothing of Talaria's own", [at('user/.talaria'), at('user/.talaria/state.db')], [], []],
  ['no words that only look like a path', ['a/b', './user'], [], []],
] as const)('what a command names is given: %s', ([, args, readable, writable]) => {
  expect(places({ args: [...args] })).toEqual({ readable, writable })
})

test('variables name places too', () => {
  expect(places({ env: { MEMORY_FILE_PATH: at('data/memory.json') } }).writable).toEqual(['data'])
})

test('the folder of the chat is given, also inside the home of Talaria, but never a whole home', () => {
  expect(places({}, at('data')).writable).toEqual(['data'])
  expect(places({}, at('user/.talaria/workspace')).writable).toEqual(['user/.talaria/workspace'])
  for (const root of [at('user'), base, '/', at('gone')]) expect(places({}, root).writable).toEqual([])
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
