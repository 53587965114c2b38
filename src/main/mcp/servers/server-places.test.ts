import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confinedTest } from '../../../../testing/confinement/can-confine.ts'
import { giveDatabase } from '../../../../testing/db/give-database.ts'
import { aFolderToConfine } from '../../../../testing/confinement/folder-to-confine.ts'
import { runPrepared } from '../../../../testing/confinement/run-confined.ts'
import { LocalMcpServer, type McpServer } from '../../../shared/contract/connections/mcp.ts'
import { openConfinement } from '../../confinement/open-confinement.ts'
import { commandConfinement } from '../../confinement/sandbox-setting.ts'
import { openStore } from '../../db/store.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { openMcp } from '../open-mcp.ts'
import { prepareStart } from '../connections/start-program.ts'

let base: string
let user: string
let home: string
let project: string
beforeEach(() => {
  base = realpathSync(aFolderToConfine())
  user = join(base, 'user')
  home = join(user, '.talaria')
  project = join(user, 'code', 'project')
  for (const folder of [project, join(user, '.ssh'), join(user, '.config', 'gh'), join(user, 'notes')])
    mkdirSync(folder, { recursive: true })
  mkdirSync(home)
  for (const file of ['.config/app.json', 'notes/a.db', '.bashrc']) writeFileSync(join(user, file), '')
  vi.stubEnv('HOME', user)
  // This is what counts on Windows.
  vi.stubEnv('USERPROFILE', user)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(base, { recursive: true, force: true })
})

const keyOf = (name: string) => ({ HOME: user, TALARIA: home })[name]
const raise = (error: unknown) => {
  throw error
}

/** Where a program tries to leave a mark in the home. Its script names these places, no argument does. */
const PLACES = ['.', '..', '.ssh', '.config', '.config/gh', '.talaria', 'notes', 'code', 'code/project']
async function marksOf(entry: Partial<LocalMcpServer>, isOfProject: boolean): Promise<string[]> {
  const text = PLACES.map(place => `(echo x >"${join(user, place)}/mark") 2>/dev/null`).join('; ')
  const args = [
    '-c',
    `${text}; (echo x >>"${user}/.config/app.json") 2>/dev/null; true`,
    ...(entry.args ?? []),
  ]
  const server = LocalMcpServer.parse({ name: 'one', ...entry, command: '/bin/sh', args })
  const known = isOfProject ? { cwd: project, ...server, project } : server
  const confiner = openConfinement({ home, readable: () => [], userHome: user })
  const parts = {
    home,
    commands: commandConfinement(confiner, { sandbox: () => 'on', isOffline: () => false }),
    keyOf,
    loginPath: async () => '/usr/bin:/bin',
  } as const
  const ended = await runPrepared(async () => {
    const start = await prepareStart(known, { mark: 'mark', root: isOfProject ? project : undefined }, parts)
    return isRefusal(start) ? start : { ...start.confined!, env: start.env, cwd: start.cwd }
  })
  const settings = '.config/app.json'
  const marks = [
    ...PLACES.filter(place => existsSync(join(user, place, 'mark'))),
    ...(readFileSync(join(user, settings), 'utf8') === '' ? [] : [settings]),
  ]
  writeFileSync(join(user, settings), '')
  for (const place of PLACES) rmSync(join(user, place, 'mark'), { force: true })
  return isRefusal(ended) ? [ended.refused, ...marks] : marks
}

const REFUSED = [expect.stringMatching(/home folder|not inside the folder|hidden|Talaria's own|would obey/)]

const ROWS: readonly [
  name: string,
  isOfProject: boolean,
  entry: Partial<LocalMcpServer>,
  marks: unknown[],
][] = [
  ['a project: nothing named', true, {}, ['code/project']],
  ['a project: the home as its folder', true, { cwd: '${HOME}' }, REFUSED],
  ['a project: the home as its folder, by ~', true, { cwd: '~' }, REFUSED],
  ['a project: its parent as its folder', true, { cwd: '${HOME}/code/project/..' }, REFUSED],
  ['a project: keys as its folder', true, { cwd: '${HOME}/.ssh' }, REFUSED],
  ["a project: Talaria's home as its folder", true, { cwd: '${TALARIA}' }, REFUSED],
  ['a project: keys in an argument', true, { args: ['${HOME}/.ssh'] }, REFUSED],
  ['a project: keys in a variable', true, { env: { PLACE: '${HOME}/.config/gh' } }, REFUSED],
  ['a project: keys behind an option', true, { args: ['--dir=${HOME}/.ssh'] }, REFUSED],
  ['a project: what a shell obeys', true, { args: ['${HOME}/.bashrc'] }, REFUSED],
  ['a project: a file among settings', true, { args: ['${HOME}/.config/app.json'] }, ['code/project']],
  ['a project: a file among notes', true, { args: ['${HOME}/notes/a.db'] }, ['code/project']],
  ['a project: a folder', true, { args: ['${HOME}/notes'] }, ['notes', 'code/project']],
  ['own: the home as its folder', false, { cwd: '${HOME}' }, REFUSED],
  ['own: keys as its folder', false, { cwd: '~/.ssh' }, REFUSED],
  ["own: Talaria's home as its folder", false, { cwd: '${TALARIA}' }, REFUSED],
  ['own: a file among settings', false, { args: ['${HOME}/.config/app.json'] }, ['.config/app.json']],
  [
    'own: keys, the home and Talaria',
    false,
    { args: ['${HOME}', '~/.ssh', '${TALARIA}', '${HOME}/.config'] },
    [],
  ],
  ['own: a folder, and a file in it', false, { args: ['${HOME}/notes/a.db'] }, ['notes']],
]
for (const [name, isOfProject, entry, marks] of ROWS)
  confinedTest(`a server writes where it may, and nowhere else: ${name}`, async () => {
    expect(await marksOf(entry, isOfProject)).toEqual(marks)
  })

confinedTest('a link that leads elsewhere by the next start is judged anew', async () => {
  const link = join(user, 'place')
  symlinkSync(join(user, 'notes'), link)
  expect(await marksOf({ args: [link] }, true)).toEqual(['notes', 'code/project'])
  unlinkSync(link)
  symlinkSync(join(user, '.ssh'), link)
  expect(await marksOf({ args: [link] }, true)).toEqual(REFUSED)
  expect(await marksOf({ cwd: link }, false)).toEqual(REFUSED)
})

test('each place is named before a person agrees, and a server is off again when one leads elsewhere', async () => {
  giveDatabase(home)
  const { store } = openStore(home, { clock: () => 1_000, report: raise })
  let own: readonly McpServer[] = []
  const ofProject = {
    ...LocalMcpServer.parse({ name: 'two', command: 'node', args: ['~/notes'], cwd: project }),
    project,
  }
  const mcp = openMcp({
    home,
    store: store.mcp,
    read: () => own,
    write: servers => (own = servers),
    ofProjects: () => [ofProject],
    commands: {
      rights: async () => ({ confined: false, whyNot: 'A test.', offline: false }),
      confine: async () => ({ refused: 'A test.', mayRunUnconfined: true }),
    },
    keyOf,
    keptKey: () => undefined,
    keepKey: async () => undefined,
    loginPath: async () => '',
    fetchFor: () => fetch,
    count: text => text.length,
    version: '1.0.0',
    now: () => 1_000,
    report: raise,
  })
  const state = (name: string) => {
    const { writes, state: is, changes, problem } = mcp.state(mcp.get(name)!)
    return { writes, is, changes, problem }
  }
  const link = join(user, 'place')
  symlinkSync(join(user, 'notes'), link)
  await mcp.put(
    LocalMcpServer.parse({
      name: 'one',
      command: 'node',
      args: [link, '${HOME}/.config/app.json', '~/.ssh'],
    }),
  )
  expect(mcp.state(mcp.get('one')!).warnings).toContain(
    'It may not write in ~/.ssh: that is hidden from programs, because of keys, logins or other users.',
  )
  const always = ['a folder of its own', 'the folder of the chat that uses it']
  expect(state('one')).toMatchObject({ is: 'off', writes: [...always, '~/notes', '~/.config/app.json'] })
  expect(state('two')).toMatchObject({ is: 'not accepted', writes: ['this folder', '~/notes'] })
  await mcp.accept('two', mcp.state(mcp.get('two')!).seen)
  expect(state('two').is).toBe('off')

  unlinkSync(link)
  symlinkSync(join(user, 'code'), link)
  // As if a moment later, when the same places are checked again.
  await new Promise(resolve => setImmediate(resolve))
  expect(state('one')).toMatchObject({
    is: 'not accepted',
    changes: [
      { part: 'Writes in', before: '~/notes, ~/.config/app.json', after: '~/code, ~/.config/app.json' },
    ],
  })
  expect(mcp.ready().map(({ name }) => name)).toEqual(['two'])
  unlinkSync(link)
  symlinkSync(join(user, 'notes'), link)
  expect(state('one').is).toBe('off')

  mkdirSync(join(base, 'elsewhere'))
  rmSync(join(user, 'notes'), { recursive: true })
  symlinkSync(join(user, '.ssh'), join(user, 'notes'))
  expect(state('two')).toMatchObject({
    is: 'not accepted',
    problem: expect.stringMatching(/It names ~\/\.ssh/),
  })
  await mcp.close()
  store.close()
})
