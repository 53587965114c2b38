import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { open } from '../../../../testing/db/a-store.ts'
import { aHome, aServer, type TestHost } from '../../../../testing/host/a-host.ts'
import { aMisbehaving, find, unconfined, use } from '../../../../testing/mcp/chats-with-servers.ts'
import {
  aDaily,
  approveAll,
  aScheduledHost,
  EIGHT,
  ended,
  lastOf,
} from '../../../../testing/schedules/a-scheduled-host.ts'
import { acceptServer, putServer } from '../../../../testing/mcp/agree.ts'
import { seenSchedule } from '../../../../testing/host/seen-now.ts'

// Permissions of a schedule without a user present: its model, and grants from trial runs.

const DAY = 86_400_000
const write = (content: string) => ({
  toolCalls: [{ name: 'write_file', arguments: { path: 'report.md', content } }],
})
const grantsOf = async ({ client }: Pick<TestHost, 'client'>, id: string) =>
  (await client['schedule.get']({ id })).grants.map(({ text }) => text)

/** Run a trial of a schedule and allow what it asks for. */
async function tryOut(host: TestHost, id: string) {
  await host.client['schedule.run']({ id, seen: await seenSchedule(host.client, id), trial: true })
  await approveAll(host, id)
  await ended(host, id)
}

/** Wait until a schedule's trial run asks for approval. */
const asks = (host: TestHost, id: string) =>
  expect
    .poll(
      async () => {
        const { sessionId } = await lastOf(host, id)
        return sessionId !== null && (await host.client['session.get']({ id: sessionId })).waiting
      },
      { timeout: 20_000 },
    )
    .toBe(true)

test('the model of the day it was made stays, whatever is the default later, and no other one takes over', async () => {
  using home = aHome()
  await using host = await aScheduledHost(home.path)
  await using cheap = await aServer(host.client)
  await using paid = await aServer(host.client)
  await host.client['model.setDefault']({ id: cheap.modelId })
  const { id } = await host.client['schedule.add']({ text: 'every day at 8 look at the garden' })
  await host.client['model.setDefault']({ id: paid.modelId })
  await host.client['settings.set']({ path: 'models.fallback', value: [paid.modelId] })
  cheap.reply({ text: 'All is green.' })
  await host.at(EIGHT, id)
  expect(await lastOf(host, id)).toMatchObject({ state: 'done' })
  const { entries } = await host.client['network.list']({ limit: 1 })
  expect(entries).toMatchObject([{ purpose: 'schedule', state: 'done' }])
  cheap.reply(...Array.from({ length: 20 }, () => ({ status: 401, body: { error: { message: 'No.' } } })))
  await host.at(EIGHT + DAY, id)
  expect(await lastOf(host, id)).toMatchObject({ state: 'failed', reason: 'failed' })
  await host.client['model.forget']({ id: cheap.modelId })
  await host.at(EIGHT + 2 * DAY, id)
  expect(await lastOf(host, id)).toMatchObject({ state: 'skipped', reason: 'model_missing' })
  expect([(await host.client['schedule.get']({ id })).modelId, paid.chats()]).toEqual([cheap.modelId, []])
})

test.for(['the folder', 'the skills'] as const)(
  'a change of %s takes back what a trial run was allowed, and a new name or time does not',
  async what => {
    using home = aHome()
    await using host = await aScheduledHost(home.path)
    const { server, id } = await aDaily(host)
    await using _server = server
    server.reply(write('one'), { text: 'Written.' })
    await tryOut(host, id)
    await host.client['schedule.update']({
      id,
      seen: await seenSchedule(host.client, id),
      name: 'Report',
      text: 'every day at 9',
      mode: 'reads',
    })
    expect(await grantsOf(host, id)).toEqual([expect.stringContaining('report.md')])
    const desk = join(home.path, 'workspace', 'desk')
    mkdirSync(desk)
    const change = what === 'the folder' ? { folder: desk } : { skills: ['bundled:tidy'] }
    expect(
      (await host.client['schedule.update']({ id, seen: await seenSchedule(host.client, id), ...change }))
        .grants,
    ).toEqual([])
    // Changing it back is a change too.
    const back = what === 'the folder' ? { folder: join(home.path, 'workspace') } : { skills: [] }
    expect(
      (await host.client['schedule.update']({ id, seen: await seenSchedule(host.client, id), ...back }))
        .grants,
    ).toEqual([])
  },
)

test('a trial run of a task that is changed meanwhile grants nothing', async () => {
  using home = aHome()
  await using host = await aScheduledHost(home.path)
  const { server, id } = await aDaily(host)
  await using _server = server
  server.reply(write('one'), { text: 'Written.' })
  await host.client['schedule.run']({ id, seen: await seenSchedule(host.client, id), trial: true })
  await asks(host, id)
  await host.client['schedule.update']({
    id,
    seen: await seenSchedule(host.client, id),
    task: 'delete all reports',
  })
  await approveAll(host, id)
  await ended(host, id)
  expect(await lastOf(host, id)).toMatchObject({ kind: 'trial', state: 'done' })
  expect(await grantsOf(host, id)).toEqual([])
})

test('a quit in the middle of a trial run grants nothing of what was allowed before', async () => {
  using home = aHome()
  let id = ''
  {
    await using host = await aScheduledHost(home.path)
    const made = await aDaily(host)
    await using server = made.server
    id = made.id
    server.reply(write('one'), write('two'), { text: 'Written.' })
    await host.client['schedule.run']({ id, seen: await seenSchedule(host.client, id), trial: true })
    await asks(host, id)
    const { activeRunId: runId } = await host.client['session.get']({
      id: (await lastOf(host, id)).sessionId!,
    })
    let answered = 0
    for await (const event of host.client['run.watch']({ runId: runId! })) {
      if (event.type !== 'approval_request') continue
      if (answered++ > 0) break
      await host.client['run.approve']({ runId: runId!, approvalId: event.approval.id, decision: 'once' })
      if (event.approval.mayAllowInChat) break
    }
  }
  await using again = await aScheduledHost(home.path)
  expect(await lastOf(again, id)).toMatchObject({ kind: 'trial', state: 'failed', reason: 'quit' })
  expect(await grantsOf(again, id)).toEqual([])
})

test('of more than a hundred runs the oldest is forgotten with its chat, unless that is pinned', async () => {
  using home = aHome()
  let id = ''
  {
    await using host = await aScheduledHost(home.path)
    const made = await aDaily(host)
    await using _server = made.server
    id = made.id
  }
  const chats: string[] = []
  {
    const { store } = open(home.path)
    for (let planned = 1; planned <= 101; planned++) {
      const chat = store.sessions.create({
        modelId: 'builtin',
        workspace: home.path,
        approval: 'ask',
        origin: 'schedule',
        originId: id,
      })
      chats.push(chat.id)
      const run = store.schedules.addRun({ scheduleId: id, planned, kind: 'planned', state: 'done' })
      store.schedules.changeRun(run!.id, { sessionId: chat.id, endedAt: planned })
    }
    store.sessions.update(chats[0]!, { pinned: true })
    store.close()
  }
  await using host = await aScheduledHost(home.path)
  await host.client['model.forget']({ id: (await host.client['schedule.get']({ id })).modelId })
  await host.at(EIGHT, id)
  expect(await lastOf(host, id)).toMatchObject({ state: 'skipped', reason: 'model_missing' })
  expect((await host.client['schedule.history']({ id, limit: 200 })).runs).toHaveLength(100)
  expect((await host.client['session.get']({ id: chats[0]! })).pinned).toBe(true)
  await expect(host.client['session.get']({ id: chats[1]! })).rejects.toThrow()
  expect((await host.client['session.get']({ id: chats[2]! })).originId).toBe(id)
})

test('a tool of a server is granted as it is now, and is denied once its server says something else of it', async () => {
  using home = aHome()
  const counter = join(home.path, 'starts')
  const call = [find('echo'), use('mcp__echoes__echo', { text: 'Heron' })]
  let id = ''
  let modelId = ''
  const start = () => aScheduledHost(home.path, unconfined)
  await using server = await (async () => {
    await using host = await start()
    await putServer(host.client, { server: aMisbehaving('echoes', ['rug pull', counter]) })
    await host.client['mcp.test']({ name: 'echoes' })
    const made = await aDaily(host)
    ;({ id } = made)
    ;({ modelId } = made.server)
    made.server.reply(...call, { text: 'Said.' })
    await tryOut(host, id)
    expect(await grantsOf(host, id)).toEqual([expect.stringMatching(/^use .*echo/)])
    made.server.reply(...call, { text: 'Said again.' })
    await host.at(EIGHT, id)
    expect(await lastOf(host, id)).toMatchObject({ state: 'done', denied: [] })
    return made.server
  })()
  await using again = await start()
  expect((await again.client['schedule.get']({ id })).modelId).toBe(modelId)
  const lastCall = async () => {
    const { messages } = await again.client['session.messages']({ id: (await lastOf(again, id)).sessionId! })
    return messages.findLast(({ role }) => role === 'tool')?.text
  }
  server.reply(...call, { text: 'It is off.' })
  await again.at(EIGHT + DAY, id)
  expect(await lastCall()).toContain('changed since you agreed to it')
  // Agreeing to the new text does not mean that the schedule was tried with it.
  await acceptServer(again.client, { name: 'echoes', tool: 'echo' })
  server.reply(...call, { text: 'It was not allowed.' })
  await again.at(EIGHT + 2 * DAY, id)
  expect(await lastCall()).toContain('Denied: It needs permission')
  expect((await lastOf(again, id)).denied).toHaveLength(1)
})
