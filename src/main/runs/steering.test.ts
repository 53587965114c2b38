import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, endOf, turn, type TestHost } from '../../../testing/host/a-host.ts'
import { until } from '../../../testing/until.ts'
import { draftWithout } from './steering.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'

const look = { text: 'I look. ', toolCalls: [{ name: 'look', arguments: { what: 'sky' } }] }
const textsOf = (messages: readonly Message[]) => messages.map(({ role, text }) => `${role}: ${text}`)

/** A chat whose first step is held back until `goOn` is called. */
async function aHeldChat() {
  const home = aHome()
  const host = await aHost(home.path)
  const server = await aServer(host.client)
  const { id } = await aChat(host, server)
  const gate = Promise.withResolvers<void>()
  const halts = [{ after: 1, until: gate.promise }]
  const stored = async () => (await host.client['session.messages']({ id })).messages
  return {
    ...host,
    server,
    id,
    halts,
    goOn: gate.resolve,
    stored,
    /** Start a turn whose first request has arrived at the server. */
    async begin() {
      const { runId } = await host.client['chat.send']({ sessionId: id, text: 'Look.' })
      await until(() => server.chats().length === 1)
      return runId
    },
    ended: (runId: string) => host.client['run.watch']({ runId }),
    async [Symbol.asyncDispose]() {
      await host.close()
      await server[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

/** Offer a text. Resolves once the run holds or refuses it. `taken` resolves to whether it was given. */
async function offer(
  { client }: Pick<TestHost, 'client'>,
  runId: string,
  text: string,
  signal?: AbortSignal,
) {
  const items = client['run.steer']({ runId, text }, signal && { signal })
  const first = await items.next()
  const rest = async () => {
    const { value } = await items.next()
    return value?.taken ?? false
  }
  return { isHeld: !first.done, taken: first.done ? Promise.resolve(false) : rest() }
}

async function followed(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event
}

test('what is written during a step is given to the model before the next one, and stored in its place', async () => {
  await using chat = await aHeldChat()
  chat.server.reply({ ...look, halts: chat.halts }, { text: 'It is green.' })
  const runId = await chat.begin()
  const draft = 'Say green.\n\nIn one sentence.\n\nStill being written'
  await chat.client['session.update']({ id: chat.id, draft })
  const first = await offer(chat, runId, 'Say green.')
  const second = await offer(chat, runId, 'In one sentence.')
  chat.goOn()
  expect([await first.taken, await second.taken]).toEqual([true, true])
  await followed(chat.ended(runId))
  const messages = await chat.stored()
  expect(textsOf(messages)).toEqual([
    'user: Look.',
    'assistant: I look.',
    'tool: sky is blue.',
    'user: Say green.',
    'user: In one sentence.',
    'assistant: It is green.',
  ])
  expect(messages[3]).toMatchObject({ steered: true })
  const kept = await chat.client['session.get']({ id: chat.id })
  expect(kept.draft).toBe('Still being written')
  // A save that was in progress when the texts were given is dropped.
  const late = await chat.client['session.update']({ id: chat.id, draft, draftAfter: 1 })
  expect(late).toMatchObject({ draft: 'Still being written', turnCount: 3 })
  const sent = chat.server.chats()[1]!.body.messages as { role: string; content: string }[]
  expect(sent.slice(-3).map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'tool: sky is blue.',
    'assistant: The user has written to me in the meantime.',
    'user: Say green.\n\nIn one sentence.',
  ])
  expect(chat.mistakes()).toEqual([])
})

test.each([
  ['Green.', 'Green.', ''],
  ['Green.\n\nRed.', 'Green.', 'Red.'],
  ['Red.\n\nGreen.', 'Green.', 'Red.'],
  ['Red.\n\nGreen.\n\nBlue.', 'Green.', 'Red.\n\nBlue.'],
  ['Red.\n\n\n\nGreen.', 'Green.', 'Red.\n\n'],
  ['A\n\nB\n\nC', 'A\n\nB', 'C'],
  ['Greener. Green.', 'Green.', 'Greener. Green.'],
  ['', 'Green.', ''],
])('of the draft %j what was given as %j leaves %j', (draft, given, rest) => {
  expect(draftWithout(draft, given)).toBe(rest)
})

test('after the last step, after the end and in the name of a skill nothing is given', async () => {
  await using chat = await aHeldChat()
  chat.server.reply({ text: 'Hello you.', halts: chat.halts }, { text: 'Again.' })
  const runId = await chat.begin()
  const late = await offer(chat, runId, 'Too late.')
  expect((await offer(chat, runId, '/weekly now')).isHeld).toBe(false)
  chat.goOn()
  expect([late.isHeld, await late.taken]).toEqual([true, false])
  await followed(chat.ended(runId))
  expect((await offer(chat, runId, 'Much too late.')).isHeld).toBe(false)
  expect(textsOf(await chat.stored())).toEqual(['user: Look.', 'assistant: Hello you.'])
  expect(endOf(await turn(chat, chat.id, 'And now?'))).toBe('done')
})

test('while a question waits nothing is given, and a withdrawn offer is not either', async () => {
  await using chat = await aHeldChat()
  const note = { toolCalls: [{ name: 'note', arguments: { text: 'x' } }] }
  chat.server.reply({ ...note, halts: chat.halts }, { text: 'Noted.' })
  const runId = await chat.begin()
  const withdrawn = new AbortController()
  const { taken } = await offer(chat, runId, 'Withdrawn.', withdrawn.signal)
  withdrawn.abort()
  await expect(taken).rejects.toMatchObject({ code: 'cancelled' })
  chat.goOn()
  for await (const event of chat.ended(runId)) {
    if (event.type !== 'approval_request') continue
    expect((await offer(chat, runId, 'Yes, do.')).isHeld).toBe(false)
    await chat.client['run.approve']({ runId, approvalId: event.approval.id, decision: 'once' })
  }
  expect((await chat.stored()).filter(({ role }) => role === 'user')).toHaveLength(1)
})

test('a stop settles the offers, and what was not given is not stored', async () => {
  await using chat = await aHeldChat()
  chat.server.reply({ ...look, halts: chat.halts })
  const runId = await chat.begin()
  const { taken } = await offer(chat, runId, 'Say green.')
  await chat.client['run.stop']({ runId })
  expect(await taken).toBe(false)
  expect(textsOf(await chat.stored())[0]).toBe('user: Look.')
})
