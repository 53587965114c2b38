import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns, clockUntil } from '../../../testing/until.ts'
import { aHome, aHost, toldBy } from '../../../testing/host/a-host.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a change that another program makes to memory reaches every window without a request', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  let told = 0
  const leaving = new AbortController()
  const listening = (async () => {
    for await (const event of host.connectAgain()['app.watch']({}, { signal: leaving.signal }))
      if (toldBy(event).includes('memory')) told++
  })()
  const { revisions } = await host.client['memory.add']({ target: 'user', text: 'Lives in Bern.' })
  await clockUntil(() => told === 1)
  // Our own write is noticed too, but changes nothing.
  await clockRuns(5_000)
  expect(told).toBe(1)
  mkdirSync(join(home.path, 'memories'), { recursive: true })
  writeFileSync(join(home.path, 'memories', 'USER.md'), 'Lives in Basel.\n')
  await clockUntil(() => told === 2)
  const { entries, outside } = await host.client['memory.view']({})
  expect(entries).toMatchObject([{ id: revisions[0]!.entryId, text: 'Lives in Basel.' }])
  expect(outside).toHaveLength(1)
  leaving.abort()
  await listening.catch(() => undefined)
  expect(host.mistakes()).toEqual([])
})

test('everything that the window does with memory works, and is refused in plain words where it cannot', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  const { client } = host
  const view = async () =>
    (await client['memory.view']({})).entries.map(({ text, target }) => ({ text, target }))
  const added = await client['memory.add']({ target: 'user', text: 'Lives in Bern.' })
  const id = added.revisions[0]!.entryId
  const noted = await client['memory.add']({
    target: 'memory',
    folder: home.path,
    text: 'Tests run with vitest.',
  })
  const project = noted.revisions[0]!.project!

  await client['memory.edit']({ id, text: 'Lives in Basel.', expected: 'Lives in Bern.' })
  await expect(
    client['memory.edit']({ id, text: 'Lives in Chur.', expected: 'Lives in Bern.' }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await expect(client['memory.add']({ target: 'user', text: 'Fine\u200B words' })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('invisible characters') as string,
  })
  await expect(client['memory.move']({ ids: [id], target: 'user', project })).rejects.toMatchObject({
    message: 'Facts about you apply everywhere, not in one folder or project.',
  })
  await expect(
    client['memory.move']({ ids: [id], target: 'memory', project: 'p-unknown' }),
  ).rejects.toMatchObject({ code: 'not_found', message: 'There are no notes for this folder or project.' })

  await client['memory.move']({ ids: [id], target: 'memory', project })
  const inFolder = await client['memory.preview']({ workspace: home.path })
  expect(inFolder.text).toContain('Lives in Basel.')
  expect(inFolder.tokens).toBeGreaterThan(0)
  expect(await client['memory.preview']({ project })).toEqual(inFolder)
  expect((await client['memory.preview']({})).text).not.toContain('Lives in Basel.')

  await client['memory.lock']({ ids: [id], locked: true })
  const removed = await client['memory.remove']({ ids: [id] })
  expect(await view()).toEqual([{ text: 'Tests run with vitest.', target: 'memory' }])
  expect((await client['memory.archive']({ query: 'basel' })).entries).toMatchObject([{ id }])
  await client['memory.undo']({ revisionIds: [removed.revisions[0]!.id] })
  await client['memory.restore']({ revisionId: added.revisions[0]!.id })
  expect(await view()).toContainEqual({ text: 'Lives in Bern.', target: 'memory' })
  const { revisions } = await client['memory.history']({ entryId: id })
  expect(revisions.map(({ op }) => op)).toEqual(['edit', 'restore', 'remove', 'lock', 'move', 'edit', 'add'])

  await client['memory.setSwitches']({ useInChats: false })
  await client['memory.setSwitches']({ learnFromChats: false })
  expect(await client['memory.view']({})).toMatchObject({ useInChats: false, learnFromChats: false })
  const all = await client['memory.forgetAll']({ word: 'forget' })
  expect([all.revisions.length, await view()]).toEqual([2, []])
  await client['memory.undo']({ revisionIds: all.revisions.map(each => each.id) })
  expect(await view()).toHaveLength(2)
  expect(host.mistakes()).toEqual([])
})

test('what was learned in a chat is listed by the chat, and a version that is chosen settles an outside edit', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  const { client } = host
  const chat = await client['session.create']({})
  await client['memory.add']({ target: 'user', text: 'Likes tea.', source: { sessionId: chat.id } })
  await client['memory.add']({ target: 'user', text: 'Has a dog.' })
  const { entries } = await client['memory.ofChat']({ sessionId: chat.id })
  expect(entries.map(({ text }) => text)).toEqual(['Likes tea.'])
  writeFileSync(join(home.path, 'memories', 'USER.md'), 'Likes coffee.\n§\nHas a dog.\n')
  const [edit] = (await client['memory.view']({})).outside
  await client['memory.resolve']({ id: edit!.id, keep: 'ours' })
  const after = await client['memory.view']({})
  expect([after.outside, after.entries.map(({ text }) => text)]).toEqual([[], ['Likes tea.', 'Has a dog.']])
  expect(host.mistakes()).toEqual([])
})
