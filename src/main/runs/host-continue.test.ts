import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
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
  type TestHost,
} from '../../../testing/host/a-host.ts'
import type { AssistantMessage } from '../../shared/contract/chats/messages.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

type Client = Pick<TestHost, 'client'>

async function goOn(
  { client }: Client,
  sessionId: string,
  onEvent: (event: RunEvent, runId: string) => unknown = () => {},
) {
  const { runId } = await client['branch.continue']({ sessionId })
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId })) {
    events.push(event)
    await onEvent(event, runId)
  }
  return events
}

/** A turn that is stopped once the model has written some of its answer. */
const cutTurn = (host: Client, sessionId: string, text: string, length = 1) => {
  let shown = ''
  return turn(host, sessionId, text, (event, runId) => {
    if (event.type === 'text_delta') shown += event.text
    return shown.length >= length ? host.client['run.stop']({ runId }) : undefined
  })
}

const lastOf = async ({ client }: Client, id: string) =>
  (await client['session.messages']({ id })).messages.at(-1) as AssistantMessage

const shownIn = (events: readonly RunEvent[]) =>
  events.map(event => (event.type === 'text_delta' ? event.text : '')).join('')

const usageIn = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : [])).at(-1)!

test('a server is asked to go on with an answer, which stays one answer; what it repeats is dropped', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  server.reply({ text: 'One, two, three', delayMs: 1, finish: 'length' })
  await turn(host, sessionId, 'Count.')
  server.reply({ text: ['two, th', 'ree, four', ', five.'] })
  const events = await goOn(host, sessionId)
  expect(await transcript(host, sessionId)).toEqual([
    'user: Count.',
    'assistant: One, two, three, four, five.',
  ])
  expect(shownIn(events)).toBe('One, two, three, four, five.')
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'turn_start', message: { text: 'Count.' } },
    { type: 'text_delta', text: 'One, two, three' },
  ])
  const sent = server.chats().at(-1)?.body.messages as { role: string; content: string }[]
  expect(sent.slice(-2)).toMatchObject([
    { role: 'assistant', content: 'One, two, three' },
    { role: 'user', content: expect.stringContaining('Go on exactly where it ends') as string },
  ])
  expect((await lastOf(host, sessionId)).cut).toBeUndefined()
  const { branches } = await host.client['branch.list']({ sessionId })
  expect(branches.map(({ text, isOnPath }) => [text, isOnPath])).toEqual([
    ['One, two, three', false],
    ['One, two, three, four, five.', true],
  ])
  await turn(host, sessionId, 'Thanks.')
  expect(JSON.stringify(server.chats().at(-1)?.body)).not.toContain('Go on exactly')
  expect(host.mistakes()).toEqual([])
})

test('an answer that is stopped again keeps both parts, and one that nothing is added to stays as it is', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  server.reply(() => slowly(10_000))
  await cutTurn(host, sessionId, 'Tell me all.')
  const first = await lastOf(host, sessionId)
  server.reply({ text: 'x0 x1 x2 x3 '.repeat(900).split(/(?<= )/), delayMs: 3 })
  await goOn(host, sessionId, (event, runId) =>
    event.type === 'text_delta' && event.text.includes('x') ? host.client['run.stop']({ runId }) : undefined,
  )
  const second = await lastOf(host, sessionId)
  expect(second).toMatchObject({ interrupted: true })
  expect(second.text.slice(0, first.text.length + 5)).toContain(`${first.text.trim()} x0`)
  server.reply({ status: 400, body: { error: { message: 'no' } } })
  expect(endOf(await goOn(host, sessionId))).toBe('failed')
  expect((await lastOf(host, sessionId)).id).toBe(second.id)
  expect((await host.client['branch.list']({ sessionId })).branches).toHaveLength(2)
  server.reply({ text: '' })
  await goOn(host, sessionId)
  expect(await lastOf(host, sessionId)).toMatchObject({ text: second.text.trim(), interrupted: false })
  expect(host.mistakes()).toEqual([])
})

test('a crash while an answer goes on keeps both parts as a version of it', async () => {
  using home = aHome()
  using later = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  server.reply({ text: 'One, two,', finish: 'length' })
  await turn(host, sessionId, 'Count.')
  server.reply({ text: [' three,', ' four'], halts: [{ after: 2, until: new Promise(() => {}) }] })
  const { runId } = await host.client['branch.continue']({ sessionId })
  let shown = ''
  for await (const event of host.client['run.watch']({ runId })) {
    if (event.type === 'text_delta') shown += event.text
    if (shown.includes('four')) break
  }
  // The files on disk at this moment are what a killed program leaves behind.
  cpSync(home.path, later.path, { recursive: true })
  await using next = await aHost(later.path)
  expect((await transcript(next, sessionId)).at(-1)).toBe('interrupted: One, two, three, four')
  expect((await next.client['branch.list']({ sessionId })).branches).toHaveLength(2)
})

test('thoughts alone are answered again, and an answer behind a call runs no call twice', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  server.reply({ reasoning: ['So ', 'then '], text: '', halts: [{ after: 2, until: new Promise(() => {}) }] })
  await turn(host, sessionId, 'Why?', (event, runId) =>
    event.type === 'reasoning_delta' ? host.client['run.stop']({ runId }) : undefined,
  )
  expect(await lastOf(host, sessionId)).toMatchObject({ text: '', interrupted: true })
  server.reply({ text: 'Because.' })
  await goOn(host, sessionId)
  expect((await transcript(host, sessionId)).at(-1)).toBe('assistant: Because.')

  server.reply({ toolCalls: [{ name: 'look', arguments: { what: 'sky' } }] }, () => slowly(10_000))
  await cutTurn(host, sessionId, 'Look.')
  const before = await transcript(host, sessionId)
  server.reply({ text: 'It is blue.' })
  await goOn(host, sessionId)
  const after = await transcript(host, sessionId)
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1))
  expect(after.at(-1)).toMatch(/^assistant: w0 .*It is blue\.$/)
  expect(host.mistakes()).toEqual([])
})

test('a call that was cut off within its text runs once, when it is whole', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client, 'plain')
  const { id: sessionId } = await aChat(host, server, { approval: 'full' })
  const call = '<tool_call>\n{"name": "note", "arguments": {"text": "milk"}}\n</tool_call>'
  server.reply({ text: ['I note it.\n', call.slice(0, 40)], finish: 'length' }, { text: 'Oh.' })
  await turn(host, sessionId, 'Note milk.')
  const { messages } = await host.client['session.messages']({ id: sessionId })
  expect(messages.filter(({ role, ...each }) => role === 'tool' && 'ok' in each && each.ok)).toEqual([])
  server.reply(() => slowly(10_000))
  await cutTurn(host, sessionId, 'Again.')
  server.reply({ text: call }, { text: 'Noted it.' })
  await goOn(host, sessionId)
  const lines = await transcript(host, sessionId)
  expect(lines.filter(line => line === 'result: Noted.')).toHaveLength(1)
  expect(lines.at(-1)).toBe('assistant: Noted it.')
  expect(host.mistakes()).toEqual([])
})

test('a local model goes on from what it has evaluated', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const reply = Array.from({ length: 150 }, (_, n) => `word${n}`).join(' ')
  const { id: sessionId } = await host.client['session.create']({
    modelId: `file:${scriptedModel({ reply })}`,
  })
  await cutTurn(host, sessionId, 'Say them all.', 60)
  const cut = await lastOf(host, sessionId)
  expect(cut.interrupted).toBe(true)
  const events = await goOn(host, sessionId)
  expect(await lastOf(host, sessionId)).toMatchObject({ text: reply, interrupted: false })
  expect(shownIn(events)).toBe(reply)
  const { evaluatedTokens, promptTokens, reusedTokens, outputTokens } = usageIn(events)
  // A sampled token is only evaluated with the next one.
  expect(evaluatedTokens).toBeLessThan(4)
  expect(reusedTokens).toBe(promptTokens - evaluatedTokens)
  expect(outputTokens).toBeLessThan(150)
  const next = usageIn(await turn(host, sessionId, 'And?'))
  expect(next.reusedTokens).toBeGreaterThan(promptTokens + outputTokens - 5)
  expect(host.mistakes()).toEqual([])
})

test('an answer that went in circles stays in the chat, is counted, and no model reads it again', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  const circle = 'I am going to try to figure that out for you, and then I will tell you all about it. '
  server.reply({ text: circle.repeat(60) })
  server.reply({ text: circle.repeat(60) })
  await turn(host, sessionId, 'What can you do?')
  const answer = await lastOf(host, sessionId)
  expect(answer).toMatchObject({ text: circle.trim(), void: true, usage: { estimated: true } })
  const { total } = await host.client['usage.read']({})
  expect(total.answers).toBe(2)
  expect(total.outputTokens).toBeGreaterThanOrEqual(2 * answer.usage!.outputTokens - 50)
  server.reply({ text: 'Four.' })
  await turn(host, sessionId, 'What is 2 + 2?')
  const sent = JSON.stringify(server.chats().at(-1)?.body)
  expect(sent).toContain('What is 2 + 2?')
  expect(sent).not.toContain('figure that out')
  expect(host.mistakes()).toEqual([])
})

test('to go on with an answer in circles is to answer again', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  const circle = 'I am going to try to figure that out for you, and then I will tell you all about it. '
  server.reply({ text: circle.repeat(60) })
  server.reply({ text: circle.repeat(60) })
  await turn(host, sessionId, 'What can you do?')
  server.reply({ text: 'I can count.' })
  await goOn(host, sessionId)
  expect(await transcript(host, sessionId)).toEqual(['user: What can you do?', 'assistant: I can count.'])
  expect(host.mistakes()).toEqual([])
})
