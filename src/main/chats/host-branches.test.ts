import { expect, test } from 'vitest'
import {
  aChat,
  aHome,
  aHomeForModels,
  aHost,
  aServer,
  endOf,
  slowly,
  transcript,
  turn,
} from '../../../testing/host/a-host.ts'
import type { TestHost } from '../../../testing/host/a-host.ts'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import { until } from '../../../testing/until.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

const idsOf = async ({ client }: Pick<TestHost, 'client'>, id: string) =>
  (await client['session.messages']({ id })).messages.map(message => message.id)

/** Follow a started run to its end. */
async function follow({ client }: Pick<TestHost, 'client'>, { runId }: { runId: string | null }) {
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId: runId! })) events.push(event)
  return events
}

test('an edited question is answered anew, and both are there, also for a search', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  server.reply(({ body }) => ({ text: `About ${JSON.stringify(body.messages.at(-1)?.content).slice(1, 7)}` }))
  await turn(host, sessionId, 'herons')
  await turn(host, sessionId, 'egrets')
  const [first] = await idsOf(host, sessionId)
  await follow(host, await host.client['branch.edit']({ sessionId, messageId: first!, text: 'storks' }))
  expect(await transcript(host, sessionId)).toEqual(['user: storks', 'assistant: About storks'])
  expect((await host.client['session.get']({ id: sessionId })).pathMoves).toBe(1)
  const { hits } = await host.client['recall.search']({ query: 'egrets' })
  expect(hits[0]?.passages.every(passage => passage.elsewhere)).toBe(true)
  const { branches } = await host.client['branch.list']({ sessionId })
  expect(branches.map(({ text, isOnPath }) => [text, isOnPath])).toEqual([
    ['herons', false],
    ['storks', true],
  ])
  await host.client['branch.switch']({ sessionId, messageId: first! })
  expect((await transcript(host, sessionId)).at(-1)).toBe('assistant: About egrets')
  expect(host.mistakes()).toEqual([])
})

test('an answer of the model is replaced without a run, and models read the new one', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  await turn(host, sessionId, 'What colour is it?')
  const [, answer] = await idsOf(host, sessionId)
  const edit = { sessionId, messageId: answer!, text: 'It is grey.' }
  expect(await host.client['branch.edit'](edit)).toEqual({ runId: null })
  const { messages } = await host.client['session.messages']({ id: sessionId })
  expect(messages.at(-1)).toMatchObject({ text: 'It is grey.', edited: true })
  await turn(host, sessionId, 'Really?')
  const sent = server.chats().at(-1)?.body.messages ?? []
  expect(sent.slice(-3).map(({ content }: { content: unknown }) => content)).toEqual([
    'What colour is it?',
    'It is grey.',
    'Really?',
  ])
})

test('while an answer is written an edit is refused, unless it may stop it first', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  server.reply(() => slowly(10_000))
  const { runId } = await host.client['chat.send']({ sessionId, text: 'Tell me all.' })
  await until(async () => (await idsOf(host, sessionId)).length === 1 && server.chats().length === 1)
  const other = host.connectAgain()
  const edit = { sessionId, messageId: (await idsOf(host, sessionId))[0]!, text: 'Be brief.' }
  await expect(other['branch.edit'](edit)).rejects.toMatchObject({ code: 'busy' })
  await expect(other['branch.undo']({ sessionId })).rejects.toMatchObject({ code: 'busy' })
  server.reply(() => ({ text: 'Yes.' }))
  const edited = await other['branch.edit']({ ...edit, stopRun: true })
  expect(endOf(await follow(host, { runId }))).toBe('stopped')
  expect(endOf(await follow(host, edited))).toBe('done')
  expect(await transcript(host, sessionId)).toEqual(['user: Be brief.', 'assistant: Yes.'])
})

test('two windows edit the same message: both texts are branches', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  await turn(host, sessionId, 'one')
  const [messageId] = await idsOf(host, sessionId)
  const windows = [host.client, host.connectAgain()]
  const edits = await Promise.allSettled(
    windows.map((client, n) =>
      client['branch.edit']({ sessionId, messageId: messageId!, text: `window ${n}`, stopRun: true }),
    ),
  )
  for (const edit of edits)
    if (edit.status === 'fulfilled') await follow(host, edit.value)
    else expect(edit.reason).toMatchObject({ code: 'busy' })
  const { branches } = await host.client['branch.list']({ sessionId })
  const done = edits.flatMap((edit, n) => (edit.status === 'fulfilled' ? [`window ${n}`] : []))
  expect(branches.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual(['one', ...done])
  expect(done.length).toBeGreaterThan(0)
  expect(host.mistakes()).toEqual([])
})

test('an answer is tried again, with another model too, and one that is gone changes nothing', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  await using second = await aServer(host.client, 'plain')
  const { id: sessionId } = await aChat(host, server)
  server.reply(() => ({ text: 'From the first.' }))
  second.reply(() => ({ text: 'From the second.' }))
  await turn(host, sessionId, 'Who are you?')
  const [, messageId = 0] = await idsOf(host, sessionId)
  await follow(host, await host.client['branch.retry']({ sessionId, messageId, modelId: second.modelId }))
  expect(await transcript(host, sessionId)).toEqual(['user: Who are you?', 'assistant: From the second.'])
  expect((await host.client['session.get']({ id: sessionId })).modelId).toBe(server.modelId)
  const gone = await follow(
    host,
    await host.client['branch.retry']({ sessionId, messageId, modelId: 'file:/gone.gguf' }),
  )
  expect(endOf(gone)).toBe('failed')
  expect(gone.find(event => event.type === 'error')).toMatchObject({
    text: expect.stringMatching(/gone\.gguf/),
  })
  expect(await transcript(host, sessionId)).toEqual(['user: Who are you?', 'assistant: From the second.'])
  const { branches } = await host.client['branch.list']({ sessionId })
  expect(branches.map(({ text }) => text)).toEqual(['From the first.', 'From the second.'])
})

test('undo goes back before the newest question and returns it, and the chat can go on from there', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  await turn(host, sessionId, 'one')
  await turn(host, sessionId, 'two')
  expect(await host.client['branch.undo']({ sessionId })).toMatchObject({ text: 'two' })
  expect(await host.client['branch.undo']({ sessionId })).toMatchObject({ text: 'one' })
  await expect(host.client['branch.undo']({ sessionId })).rejects.toMatchObject({ code: 'not_found' })
  await turn(host, sessionId, 'three')
  expect((await transcript(host, sessionId))[0]).toBe('user: three')
})

test('a copy of a chat goes its own way, and does not run unasked what the chat was allowed', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server, { approval: 'full' })
  await turn(host, sessionId, 'one')
  await turn(host, sessionId, 'two')
  const [, messageId = 0] = await idsOf(host, sessionId)
  const copy = await host.client['branch.fork']({ sessionId, messageId })
  expect(copy).toMatchObject({ approval: 'ask', messageCount: 2, title: 'one' })
  await turn(host, copy.id, 'another way')
  expect(await transcript(host, copy.id)).toHaveLength(4)
  expect(await transcript(host, sessionId)).toHaveLength(4)
  expect(host.mistakes()).toEqual([])
})

test('only an answer that was cut off goes on', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  await turn(host, sessionId, 'one')
  await expect(host.client['branch.continue']({ sessionId })).rejects.toMatchObject({ code: 'bad_input' })
  server.reply(() => slowly(10_000))
  await turn(host, sessionId, 'two', (event, runId) =>
    event.type === 'text_delta' ? host.client['run.stop']({ runId }) : undefined,
  )
  server.reply(() => ({ text: 'and so on.' }))
  await follow(host, await host.client['branch.continue']({ sessionId }))
  expect((await transcript(host, sessionId)).at(-1)).toMatch(/^assistant: w0 .*and so on\.$/)
})

test('on a branch a local model reads only what is behind the fork', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const path = scriptedModel({ reply: 'So it is.' })
  const { id: sessionId } = await host.client['session.create']({ modelId: `file:${path}` })
  const told = 'The heron stands in the reeds and waits for a fish. '.repeat(8)
  await turn(host, sessionId, `First: ${told}`)
  await turn(host, sessionId, `Second: ${told}`)
  const [, , second = 0] = await idsOf(host, sessionId)
  const usageOf = (events: readonly RunEvent[]) =>
    events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : [])).at(-1)!
  const edited = usageOf(
    await follow(host, await host.client['branch.edit']({ sessionId, messageId: second, text: 'Short?' })),
  )
  await host.client['branch.switch']({ sessionId, messageId: second })
  const back = usageOf(await turn(host, sessionId, 'And then?'))
  expect(edited.evaluatedTokens).toBeLessThan(60)
  expect(edited.reusedTokens).toBeGreaterThan(edited.promptTokens - 60)
  expect(back.evaluatedTokens).toBe(back.promptTokens - back.reusedTokens)
  expect(back.reusedTokens).toBeGreaterThanOrEqual(edited.reusedTokens)
})
