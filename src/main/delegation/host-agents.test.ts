import { expect, test } from 'vitest'
import { aBareServer, aHome, aHost, turn } from '../../../testing/host/a-host.ts'
import type { ServedReply } from '../../../testing/servers/openai-server.ts'
import { until } from '../../../testing/until.ts'

/** A host whose model delegates one task to the background; the sub-agent works on it until it is stopped. */
async function aChatWithAnAgent(home: string, server: Awaited<ReturnType<typeof aBareServer>>) {
  const host = await aHost(home, { coreTools: true })
  const { id: modelId } = await host.client['model.addServer']({
    name: 'S',
    baseUrl: server.baseUrl,
    model: 'qwen3',
  })
  const delegate = { name: 'delegate', arguments: { goal: 'Count', background: true } }
  let asked = 0
  server.reply(({ body }): ServedReply => {
    if (JSON.stringify(body.messages).includes('## Goal')) return { stallMs: 600_000 }
    return asked++ === 0 ? { toolCalls: [delegate] } : { text: 'It counts.' }
  })
  const { id } = await host.client['session.create']({ modelId })
  await turn(host, id, 'Let one count.')
  await until(() => server.chats().length === 3)
  const { agents } = await host.client['delegation.ofChat']({ sessionId: id })
  return { host, id, agentId: agents[0]!.sessionId }
}

test('a deleted chat ends its sub-agents and takes them out of the list, and brings them back', async () => {
  using home = aHome()
  await using server = await aBareServer()
  const { host, id, agentId } = await aChatWithAnAgent(home.path, server)
  await using _host = host
  const listed = async () =>
    (await host.client['session.list']({})).sessions.map(session => session.id).toSorted()
  expect(await listed()).toEqual([id, agentId].toSorted())
  const asked = server.chats().find(({ body }) => JSON.stringify(body.messages).includes('## Goal'))
  await host.client['session.remove']({ id })
  expect(await asked!.cut).toBe(true)
  expect(await listed()).toEqual([])
  expect((await host.client['session.deleted']({})).chats.map(chat => chat.id)).toEqual([id])

  await host.client['session.restore']({ id })
  expect(await listed()).toEqual([id, agentId].toSorted())
  await until(async () =>
    (await host.client['delegation.ofChat']({ sessionId: id })).agents.every(
      ({ state }) => state === 'ended',
    ),
  )
  const { agents } = await host.client['delegation.ofChat']({ sessionId: id })
  expect(agents).toMatchObject([{ end: 'stopped' }])
  expect(host.mistakes()).toEqual([])
})

test('in the chat of a sub-agent nothing can be edited, and all of a chat are stopped by one call', async () => {
  using home = aHome()
  await using server = await aBareServer()
  const { host, id, agentId } = await aChatWithAnAgent(home.path, server)
  await using _host = host
  const { messages } = await host.client['session.messages']({ id: agentId })
  const edit = { sessionId: agentId, messageId: messages[0]!.id, text: 'Otherwise.', stopRun: true }
  await expect(host.client['branch.edit'](edit)).rejects.toMatchObject({
    code: 'bad_input',
    message: 'The messages of a sub-agent cannot be changed: they show what it did.',
  })
  // The refusal has not stopped it either.
  expect((await host.client['session.get']({ id: agentId })).activeRunId).not.toBeNull()
  expect(await host.client['delegation.stopAll']({ sessionId: id })).toEqual({ names: ['worker 1'] })
  await until(async () => (await host.client['session.get']({ id: agentId })).activeRunId === null)
  expect(await host.client['delegation.stopAll']({ sessionId: id })).toEqual({ names: [] })
})
