import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBareServer, aChat, aHome, aHost, endOf, turn, type TestHost } from '../../../testing/host/a-host.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'

// For a model with a window of 8,192 tokens whose turn writes many long texts.

/** Words in which no two runs are alike, because a circling text would be cut. */
const words = (count: number, of: number) =>
  Array.from({ length: count / 5 }, (_, n) => `text ${of} of ${aWord(n)} ${aWord(n * 31 + of)} `).join('')
const aWord = (n: number) => (n + 30).toString(36).replace(/\d/g, digit => 'aeiouxyzrs'[Number(digit)]!)
/** A step with a long text in its call, and as much text beside it. */
const note = (of: number) => ({
  text: words(400, of),
  toolCalls: [{ name: 'note', arguments: { text: words(600, of) } }],
})
const SUMMARY = { text: '## Goal\n- Note the sixteen texts' }
type Body = { messages: { role: string; content: string | null; tool_calls?: unknown[] }[] }
const isSummaryOf = ({ messages }: Body) => String(messages.at(-1)?.content).includes('[Summary] The user')
const storedOf = async ({ client }: TestHost, id: string): Promise<Message[]> =>
  (await client['session.messages']({ id, limit: 200 })).messages

/** A server whose model has a window of 8,192 tokens. */
async function aServer({ client }: TestHost) {
  const server = await aBareServer('qwen3', 8_192)
  const { id } = await client['model.addServer']({ name: 'Small', baseUrl: server.baseUrl, model: 'qwen3' })
  return { ...server, modelId: id }
}

/** A chat with all its notes allowed, and a server that answers each request with the next one of `parts`. */
async function aNotingChat(home: string) {
  const host = await aHost(home)
  const server = await aServer(host)
  const { id } = await aChat(host, server, { approval: 'full' })
  let next = 0
  let last = Infinity
  server.reply(({ body }) =>
    isSummaryOf(body as Body) ? SUMMARY : next < last ? note(next++) : { text: 'Noted.' },
  )
  return {
    host,
    server,
    id,
    /** Let the turn end after this many more notes. */
    take: (count: number) => void (last = next + count),
    bodies: () => server.chats().map(({ body }) => body as Body),
    async [Symbol.asyncDispose]() {
      await host.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

test('a turn of many long texts comes to its end, and the chat shows all of them', async () => {
  using home = aHome()
  await using chat = await aNotingChat(home.path)
  chat.take(16)
  const events = await turn(chat.host, chat.id, 'Note sixteen texts.')
  expect(endOf(events)).toBe('done')
  const compactions = events.flatMap(event => (event.type === 'compacted' ? [event.compaction] : []))
  expect(compactions.map(({ by }) => by)).toContain('model')
  const { questionId } = compactions.findLast(({ by }) => by === 'model')!
  const stored = await storedOf(chat.host, chat.id)
  expect(stored.find(({ id }) => id === questionId)?.text).toBe('Note sixteen texts.')
  expect(stored.filter(message => message.role === 'assistant' && message.calls.length > 0)).toHaveLength(16)
  expect(JSON.stringify(stored)).not.toContain('Only the beginning')
  for (const { messages } of chat.bodies()) {
    expect(JSON.stringify(messages).length / 4).toBeLessThan(8_192)
    const asked = messages.findIndex(({ role }) => role === 'user')
    expect(messages[asked]?.content).toMatch(/^Note sixteen texts\./)
  }
})

test('a chat that was closed within such a turn goes on after a restart with its summary and its question', async () => {
  using home = aHome()
  let id = ''
  {
    await using chat = await aNotingChat(home.path)
    chat.take(16)
    id = chat.id
    expect(endOf(await turn(chat.host, id, 'Note sixteen texts.'))).toBe('done')
  }
  const host = await aHost(home.path)
  const server = await aServer(host)
  server.reply({ text: 'On I went.' })
  await host.client['session.update']({ id, modelId: server.modelId })
  expect(endOf(await turn(host, id, 'go on'))).toBe('done')
  const { messages } = server.chats()[0]!.body as Body
  const text = JSON.stringify(messages)
  expect(text).toMatch(/Note sixteen texts\..*\[Summary of earlier messages.*go on/s)
  expect(text.length / 4).toBeLessThan(8_192)
  await host.close()
  await server[Symbol.asyncDispose]()
})

test('going back to before such a turn takes its summary off, and answering again makes its own', async () => {
  using home = aHome()
  await using chat = await aNotingChat(home.path)
  const { client } = chat.host
  chat.take(16)
  await turn(chat.host, chat.id, 'Note sixteen texts.')
  const [question] = await storedOf(chat.host, chat.id)
  expect((await client['session.compactions']({ id: chat.id })).compactions).not.toEqual([])
  chat.take(2)
  const { runId } = await client['branch.edit']({ sessionId: chat.id, messageId: question!.id, text: 'Two.' })
  for await (const event of client['run.watch']({ runId: runId! })) void event
  expect((await client['session.compactions']({ id: chat.id })).compactions).toEqual([])
  const { messages } = chat.bodies().at(-1)!
  expect(messages.map(({ role }) => role).slice(1)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ])
  expect(messages[1]?.content).toBe('Two.')
})

test('/compact after such a turn replaces its steps and keeps question and answer', async () => {
  using home = aHome()
  writeFileSync(join(home.path, 'config.yaml'), 'compaction:\n  trigger: 1\n')
  await using chat = await aNotingChat(home.path)
  const { client } = chat.host
  chat.take(6)
  expect(endOf(await turn(chat.host, chat.id, 'Note six texts.'))).toBe('done')
  const { runId } = await client['chat.compact']({ sessionId: chat.id, focus: '' })
  for await (const event of client['run.watch']({ runId })) void event
  const { compactions } = await client['session.compactions']({ id: chat.id })
  expect(compactions).toMatchObject([{ by: 'model', headId: 0 }])
  chat.take(0)
  await turn(chat.host, chat.id, 'And now?')
  const told = chat
    .bodies()
    .at(-1)!
    .messages.map(({ content }) => content)
  expect(told[1]).toMatch(/^Note six texts\.\n\n\[Summary/)
  expect(told.slice(-2)).toEqual(['Noted.', 'And now?'])
})
