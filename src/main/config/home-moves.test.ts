import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { startFileServer } from '../../../testing/servers/file-server.ts'
import { until } from '../../../testing/until.ts'
import { randomModel, scriptedModel } from '../../../testing/gguf/cached.ts'
import {
  aHome,
  aHost,
  endOf,
  ONE_THREAD,
  transcript,
  turn,
  type TestHost,
} from '../../../testing/host/a-host.ts'

const MODEL = 'file:models/tea.gguf'

/** Fill a home as if it had been used, with its own model file. */
async function fillHome(home: string, model = randomModel({ preset: 'tiny' })): Promise<void> {
  mkdirSync(join(home, 'models'), { recursive: true })
  cpSync(model, join(home, 'models', 'tea.gguf'))
  writeFileSync(join(home, 'config.yaml'), ONE_THREAD)
  const host = await aHost(home)
  const { client } = host
  await client['model.setDefault']({ id: MODEL })
  await client['model.setOptions']({ id: MODEL, options: { temperature: 0.3 } })
  const project = await client['project.create']({ name: 'Thesis', instructions: 'Cite sources.' })
  for (const title of ['One', 'Two']) {
    const { id } = await client['session.create']({ projectId: project.id })
    await client['session.update']({ id, title, draft: `A draft of ${title}` })
  }
  await client['project.update']({ id: project.id, modelId: MODEL })
  await client['memory.add']({ target: 'user', text: 'Likes green tea.' })
  await client['memory.add']({ target: 'memory', text: 'The build needs Node 24.' })
  await client['skills.create']({
    name: 'brew',
    text: '---\nname: brew\ndescription: How to brew tea.\n---\n\nBoil water.\n',
  })
  await client['schedule.add']({ text: 'every day at 9 summarise my notes', modelId: MODEL })
  await host.close()
}

/** Return the user's content, without anything that names the place itself. */
async function contentOf({ client }: TestHost, home: string) {
  const { sessions } = await client['session.list']({})
  const { entries } = await client['memory.view']({})
  const { skills } = await client['skills.list']({})
  const { schedules } = await client['schedule.list']({})
  const { projects } = await client['project.list']({})
  const { models, defaultId } = await client['model.list']({})
  const told = {
    defaultId,
    models: models.filter(({ demo }) => !demo).map(({ id, problem, options }) => ({ id, problem, options })),
    sessions: sessions.map(({ id, title, modelId, draft, workspace }) => [
      id,
      title,
      modelId,
      draft,
      relative(home, workspace),
    ]),
    entries: entries.map(({ id, text }) => [id, text]),
    skills: skills.filter(({ id }) => id.startsWith('own/')).map(({ id, name }) => [id, name]),
    schedules: schedules.map(({ id, task, modelId }) => [id, task, modelId]),
    projects: projects.map(({ id, name, modelId }) => [id, name, modelId]),
  }
  return told
}

/** Return the user's files with their hashes. The database is compared by its content. */
function filesOf(home: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(home, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(home, path)
    if (!entry.isFile() || /^(state\.|\.lock|logs|cache|host\.sock|backups|transfers)/.test(name)) continue
    files[name] = createHash('sha256').update(readFileSync(path)).digest('hex')
  }
  return files
}

async function look(home: string) {
  await using host = await aHost(home)
  return { ...(await contentOf(host, home)), files: filesOf(home) }
}

// Places to which users move a home; each is moved back as well.
test.each([
  ['another name beside it', 'moved'],
  ['another user', 'users/berta/.talaria'],
  ['another drive', 'media/USB STICK/talaria'],
  ['umlauts', 'users/jürgen/Größe/.talaria'],
  ['Chinese letters', 'users/李雷/文档/.talaria'],
  ['a deep folder', `${'deep/'.repeat(20)}.talaria`],
  ['a name like the old one', 'home-2'],
  ['a folder called models', 'models/models/.talaria'],
  ['quotes and signs', `it's "mine" & (yours) #1/.talaria`],
  ['an emoji', 'users/🍵/.talaria'],
])('a home that is carried to %s and back loses nothing', async (_, place) => {
  using folder = aHome()
  const old = join(folder.path, 'home')
  await fillHome(old)
  const before = await look(old)
  expect(before.models).toEqual([{ id: MODEL, problem: null, options: { temperature: 0.3 } }])
  const other = join(folder.path, place)
  mkdirSync(dirname(other), { recursive: true })
  renameSync(old, other)
  expect(await look(other)).toEqual(before)
  renameSync(other, old)
  expect(await look(old)).toEqual(before)
})

test('a home of an older version, which names its model by a path that is gone, is understood', async () => {
  using folder = aHome()
  const old = join(folder.path, 'home')
  await fillHome(old)
  const before = await look(old)
  const whole = 'file:/home/anna/.talaria/models/tea.gguf'
  const db = new Database(join(old, 'state.db'))
  db.prepare('update sessions set model = ?').run(whole)
  db.prepare('update projects set model = ?').run(whole)
  db.prepare(`update schedules set choices = json_set(choices, '$.modelId', ?)`).run(whole)
  db.close()
  const config = join(old, 'config.yaml')
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(MODEL, whole))
  const { files: _files, ...after } = await look(old)
  const { files: _, ...was } = before
  expect(after).toEqual(was)
})

test('a copy beside the original, a link to the home and a copied backup have the model too', async () => {
  using folder = aHome()
  const old = join(folder.path, 'home')
  await fillHome(old)
  const before = await look(old)
  const copy = join(folder.path, 'copy')
  cpSync(old, copy, { recursive: true })
  const link = join(folder.path, 'link')
  symlinkSync(old, link)
  expect((await look(copy)).sessions).toEqual(before.sessions)
  await using host = await aHost(link)
  expect((await host.client['model.list']({})).models.find(({ id }) => id === MODEL)?.problem).toBe(null)
})

test('notes and schedules of a folder in the home go with it', async () => {
  using folder = aHome()
  const [old, other] = [join(folder.path, 'home'), join(folder.path, 'other')]
  mkdirSync(old)
  {
    await using host = await aHost(old)
    const { client } = host
    await client['memory.add']({ target: 'memory', folder: join(old, 'workspace'), text: 'Water the roses.' })
    await client['schedule.add']({ text: 'every day at 9 summarise my notes', modelId: 'builtin' })
  }
  renameSync(old, other)
  await using host = await aHost(other)
  const { client } = host
  expect((await client['memory.preview']({})).text).toContain('Water the roses.')
  const { entries, projects } = await client['memory.view']({})
  await client['memory.add']({ target: 'memory', folder: join(other, 'workspace'), text: 'And the tulips.' })
  const after = await client['memory.view']({})
  expect([entries.length, after.entries.length, after.projects]).toEqual([1, 2, projects])
  expect(projects.map(each => each.folder)).toEqual([join(other, 'workspace')])
  const { schedules } = await client['schedule.list']({})
  expect(schedules.map(each => each.folder)).toEqual([join(other, 'workspace')])
})

test('what was downloaded is here already in a moved home, by whatever name an older version wrote', async () => {
  using folder = aHome()
  const [old, other] = [join(folder.path, 'home'), join(folder.path, 'other')]
  mkdirSync(join(old, 'models'), { recursive: true })
  cpSync(randomModel({ preset: 'tiny' }), join(old, 'models', 'tea.gguf'))
  const server = await startFileServer()
  onTestFinished(() => server.close())
  server.put('/tea.gguf', readFileSync(join(old, 'models', 'tea.gguf')))
  const address = `${server.origin}/tea.gguf`
  {
    await using host = await aHost(old)
    await host.client['download.start']({ address })
    await until(async () =>
      (await host.client['download.list']({})).transfers.every(each => each.state === 'done'),
    )
  }
  const list = join(old, 'transfers.json')
  writeFileSync(list, readFileSync(list, 'utf8').replaceAll(MODEL, `file:${old}/models/tea.gguf`))
  renameSync(old, other)
  await using host = await aHost(other)
  const { client } = host
  expect(await client['download.start']({ address })).toMatchObject({ here: true, modelId: MODEL })
  expect((await client['download.list']({})).transfers.map(each => each.modelId)).toEqual([MODEL])
  // A missing default model is reported, and its file is downloaded again.
  await client['model.setDefault']({ id: MODEL })
  rmSync(join(other, 'models', 'tea.gguf'))
  const { models, defaultId } = await client['model.list']({})
  expect([defaultId, models.find(({ id }) => id === MODEL)?.problem]).toEqual([
    MODEL,
    expect.stringContaining('There is no model file at'),
  ])
  await client['download.start']({ address })
  await until(async () => (await client['download.list']({})).transfers.every(each => each.state === 'done'))
  expect((await client['model.list']({})).models.find(({ id }) => id === MODEL)?.problem).toBe(null)
})

test('a moved home answers with its own model, and one without the file says so instead of another answering', async () => {
  using folder = aHome()
  const old = join(folder.path, 'home')
  await fillHome(old, scriptedModel({ reply: 'Mine answers.' }))
  const other = join(folder.path, 'other')
  renameSync(old, other)
  {
    await using host = await aHost(other)
    const { id, modelId } = await host.client['session.create']({})
    expect(modelId).toBe(MODEL)
    await turn(host, id, 'Hello?')
    expect(await transcript(host, id)).toEqual(['user: Hello?', 'assistant: Mine answers.'])
  }
  rmSync(join(other, 'models', 'tea.gguf'))
  await using host = await aHost(other)
  const { models, defaultId } = await host.client['model.list']({})
  const problem = `There is no model file at ${join(other, 'models', 'tea.gguf')}.`
  expect([defaultId, models.find(({ id }) => id === MODEL)?.problem]).toEqual([MODEL, problem])
  const { id } = await host.client['session.create']({})
  const events = await turn(host, id, 'Hello?')
  expect(endOf(events)).toBe('failed')
  expect(JSON.stringify(events)).toContain(problem)
  expect(statSync(other).isDirectory()).toBe(true)
})
