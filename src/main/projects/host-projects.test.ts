import { mkdirSync, realpathSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AppEvent } from '../../shared/contract/app.ts'
import { aChat, aHome, aHost, turn, toldBy } from '../../../testing/host/a-host.ts'
import { aTalk, update } from '../../../testing/host/a-talk.ts'
import { until } from '../../../testing/until.ts'

describe('a new chat of a project', () => {
  test('has its model, mode and folder, unless it says otherwise', async () => {
    using home = aHome()
    await using talk = await aTalk(home.path)
    const { host, server } = talk
    const folder = join(home.path, 'thesis')
    mkdirSync(folder)
    const { id: projectId } = await host.client['project.create']({
      name: 'Thesis',
      folder,
      modelId: server.modelId,
      approval: 'chat_only',
    })
    expect(await host.client['session.create']({ projectId })).toMatchObject({
      projectId,
      workspace: folder,
      modelId: server.modelId,
      approval: 'chat_only',
    })
    const own = await host.client['session.create']({ projectId, modelId: 'builtin', approval: 'ask' })
    expect(own).toMatchObject({ modelId: 'builtin', approval: 'ask' })
    // A chat that is started in its folder belongs to it too, as from a terminal; null is for none.
    expect(await host.client['session.create']({ workspace: folder })).toMatchObject({ projectId })
    expect(await host.client['session.create']({ workspace: folder, projectId: null })).toMatchObject({
      projectId: null,
      workspace: folder,
    })
  })

  test('is refused in words when the folder has vanished; its chats stay readable', async () => {
    using home = aHome()
    await using talk = await aTalk(home.path)
    const { host, server, systemOf } = talk
    const { client } = host
    const folder = join(home.path, 'thesis')
    mkdirSync(folder)
    const project = await client['project.create']({ name: 'Thesis', folder, modelId: server.modelId })
    const { id } = await client['session.create']({ projectId: project.id })
    await systemOf(id)
    renameSync(folder, join(home.path, 'moved'))
    await expect(client['session.create']({ projectId: project.id })).rejects.toThrow(
      /^The folder of the project “Thesis” cannot be used. There is no folder .*Give the project another folder/,
    )
    expect((await client['project.list']({})).projects[0]).toMatchObject({
      folderProblem: `The folder ${folder} no longer exists.`,
      chats: 1,
    })
    expect((await client['session.messages']({ id })).messages).toHaveLength(2)
    await client['project.update']({ id: project.id, folder: join(home.path, 'moved') })
    expect(await client['session.create']({ projectId: project.id })).toMatchObject({
      workspace: realpathSync(join(home.path, 'moved')),
    })
  })
})

describe('moving a chat', () => {
  test('keeps its model, mode and folder; an empty one takes them over', async () => {
    using home = aHome()
    await using talk = await aTalk(home.path)
    const { host, server, systemOf } = talk
    const { client } = host
    const { id: projectId } = await client['project.create']({
      name: 'Full',
      modelId: 'builtin',
      approval: 'full',
    })
    const begun = await aChat(host, server)
    await systemOf(begun.id)
    const { modelId, approval, workspace } = begun
    expect(await update(host, begun.id, { projectId })).toMatchObject({
      projectId,
      modelId,
      approval,
      workspace,
    })
    const empty = await aChat(host, server)
    expect(await update(host, empty.id, { projectId })).toMatchObject({
      modelId: 'builtin',
      approval: 'full',
    })
    await expect(update(host, begun.id, { projectId: 'project_x' })).rejects.toThrow(
      'does not exist any more',
    )
  })

  test('is told to every window, and the list can show the chats of one project', async () => {
    using home = aHome()
    await using host = await aHost(home.path)
    const seen: AppEvent[] = []
    const stop = new AbortController()
    const { promise: listens, resolve } = Promise.withResolvers<void>()
    const watching = (async () => {
      for await (const event of host.connectAgain()['app.watch']({}, { signal: stop.signal })) {
        resolve()
        seen.push(event)
      }
    })().catch(() => {})
    await listens
    const { client } = host
    const timesTold = () => seen.filter(event => toldBy(event).includes('project')).length
    const project = await client['project.create']({ name: 'Thesis' })
    await until(() => timesTold() === 1)
    const { id } = await client['session.create']({})
    const moves = () =>
      seen.flatMap(each =>
        each.type === 'session' && each.session.id === id ? [each.session.projectId] : [],
      )
    await until(() => moves().length === 1)
    await client['session.create']({})
    await update(host, id, { projectId: project.id })
    await until(() => moves().length === 2)
    await client['project.remove']({ id: project.id })
    await until(() => timesTold() === 2 && moves().length === 3)
    expect(moves()).toEqual([null, project.id, null])
    expect((await client['session.list']({ projectId: project.id })).sessions.map(each => each.id)).toEqual([
      id,
    ])
    stop.abort()
    await watching
  })
})

test('a removed project leaves its chats, and brings them back when it is restored', async () => {
  using home = aHome()
  const first = await aHost(home.path)
  const project = await first.client['project.create']({ name: 'Thesis' })
  const { id } = await first.client['session.create']({ projectId: project.id })
  await first.client['project.remove']({ id: project.id })
  expect(await first.client['session.get']({ id })).toMatchObject({ projectId: null })
  expect(await first.client['project.list']({})).toEqual({ projects: [] })
  expect(await first.client['project.restore']({ id: project.id })).toMatchObject({
    name: 'Thesis',
    chats: 1,
  })
  expect(await first.client['session.get']({ id })).toMatchObject({ projectId: project.id })
  await first.client['project.remove']({ id: project.id })
  await first.close()
  await using again = await aHost(home.path)
  await expect(again.client['project.restore']({ id: project.id })).rejects.toThrow('does not exist any more')
  expect(await again.client['session.get']({ id })).toMatchObject({ projectId: null })
})

test('names may hold anything that can be seen, and are unique, as folders are', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const create = (name: string, folder?: string) =>
    host.client['project.create']({ name, ...(folder !== undefined && { folder }) })
  const odd = ['Größe / “Maße” 🙂', '../../etc', '<b>x</b>', '論文', 'عقد', "'; drop table projects; --"]
  for (const name of odd) expect(await create(name)).toMatchObject({ name })
  expect((await create('  two\n lines ')).name).toBe('two lines')
  await expect(create('GRÖSSE / “maße” 🙂')).resolves.toBeDefined()
  await expect(create('größe / “Maße” 🙂')).rejects.toThrow(
    'A project named “Größe / “Maße” 🙂” already exists.',
  )
  await expect(create(' ')).rejects.toThrow('A project needs a name.')
  await expect(create('x'.repeat(81))).rejects.toThrow('at most 80 characters')
  await expect(create('a\u202Eb')).rejects.toThrow('invisible characters')
  const folder = join(home.path, 'desk')
  mkdirSync(folder)
  await create('Desk', folder)
  await expect(create('Other', `${folder}/`)).rejects.toThrow(
    `The project “Desk” already uses the folder ${folder}.`,
  )
  await expect(create('Other', 'desk')).rejects.toThrow('Write the whole path')
  await expect(create('Other', home.path)).rejects.toThrow('belongs to Talaria itself')
})

test('answers are sampled as the chat says, then its project', async () => {
  using home = aHome()
  await using talk = await aTalk(home.path)
  const { host, server, bodyOf } = talk
  const project = await host.client['project.create']({
    name: 'Precise',
    sampling: { temperature: 0.1, topP: 0.5, maxTokens: 900 },
  })
  const { id } = await aChat(host, server)
  expect(await bodyOf(id)).not.toHaveProperty('temperature')
  await update(host, id, {
    projectId: project.id,
    sampling: { temperature: 1.5, topK: 20, minP: 0.1, repeatPenalty: 1.2, seed: 7 },
  })
  expect(await bodyOf(id)).toMatchObject({
    temperature: 1.5,
    top_p: 0.5,
    top_k: 20,
    min_p: 0.1,
    repeat_penalty: 1.2,
    repetition_penalty: 1.2,
    seed: 7,
    max_tokens: 900,
  })
})

test('its toolsets, skills and notes are those of its chats, before those of the folder', async () => {
  using home = aHome()
  await using talk = await aTalk(home.path, { coreTools: true })
  const { host, server, systemOf, bodyOf } = talk
  const { client } = host
  const toolsIn = async (id: string): Promise<string[]> =>
    (await bodyOf(id)).tools.map((tool: { function: { name: string } }) => tool.function.name)
  const project = await client['project.create']({ name: 'Thesis', skills: [] })
  const { id } = await client['session.create']({ projectId: project.id, modelId: server.modelId })
  const { workspace } = await client['session.get']({ id })
  await client['toolset.switch']({ folder: workspace, names: ['terminal'], on: true })
  await client['toolset.switch']({ projectId: project.id, names: ['terminal'], on: false })
  const { toolsets } = await client['toolset.list']({ sessionId: id })
  expect(toolsets.find(({ name }) => name === 'terminal')).toMatchObject({
    state: 'off',
    from: 'project',
    switches: { folder: true, project: false, chat: null },
  })
  expect(await toolsIn(id)).not.toContain('terminal')
  await client['toolset.switch']({ sessionId: id, names: ['terminal'], on: true })
  await client['session.refreshPrompt']({ id })
  expect(await toolsIn(id)).toContain('terminal')

  // The model notes something for the project, which another chat of it knows, and one outside does not.
  const content = 'The thesis is about bees.'
  server.reply(
    { toolCalls: [{ name: 'memory', arguments: { target: 'project', action: 'add', content } }] },
    { text: 'Noted.' },
  )
  await turn(host, id, 'Note it.')
  const place = (await client['memory.view']({})).entries.find(({ text }) => text.includes('bees'))
  expect(place).toMatchObject({ project: project.notes })
  const other = await client['session.create']({ projectId: project.id, modelId: server.modelId })
  expect(await systemOf(other.id)).toContain('The thesis is about bees.')
  expect(await systemOf((await aChat(host, server)).id)).not.toContain('bees')
  // Notes stay with the project when it gets a folder.
  await client['project.update']({ id: project.id, folder: await newFolder(home.path) })
  const third = await client['session.create']({ projectId: project.id, modelId: server.modelId })
  expect(await systemOf(third.id)).toContain('The thesis is about bees.')
  expect(await client['skills.forChat']({ sessionId: id })).toSatisfy(({ skills }) =>
    skills.every((skill: { unavailable: string | null }) =>
      skill.unavailable?.includes('skills of this project'),
    ),
  )
})

async function newFolder(home: string): Promise<string> {
  const folder = join(home, 'bees')
  mkdirSync(folder)
  return folder
}
