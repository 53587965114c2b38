import { expect, test } from 'vitest'
import { aChat, said, talk } from '../../../../testing/agent/a-chat.ts'
import { aReply } from '../../../../testing/agent/a-turn.ts'
import { scriptedEngine } from '../../../../testing/models/scripted.ts'
import type { NewMessage } from '../../../shared/contract/chats/messages.ts'
import { structuredStrategy } from '../strategies/structured.ts'
import type { Guide } from '../guide.ts'

const guide: Guide = {
  before: () => Promise.resolve(undefined),
  after: () => Promise.resolve({ text: '', calls: [] }),
}
const asked = () => expect.unreachable('The model was asked.')

/** A call of a tool with its result. */
const did = (name: string, title: string, ok = true): NewMessage[] => [
  aReply('', { calls: [{ id: title, name, arguments: {} }] }),
  {
    role: 'tool',
    sessionId: 'chat',
    at: 0,
    callId: title,
    name,
    title,
    ok,
    text: ok ? 'Done.' : 'Error: there is no such file.',
    durationMs: 1,
    record: { decision: 'ran' },
  },
]

function aGuidedChat(given: Parameters<typeof aChat>[0] = { replies: asked }) {
  const chat = aChat(given)
  Object.assign(chat.turn, { guide })
  chat.say(
    said('Hello.'),
    aReply('Hello.'),
    said('My name is Vera and I live in Graz. Never recommend coffee.'),
    aReply('I will remember that.'),
    said('Keep a list of what to buy.'),
    ...did('write_file', 'Write list.md'),
    aReply('Done.'),
    said('What is in it?'),
    ...did('read_file', 'Read list.md'),
    aReply('buy milk'),
    said('Run the tests.'),
    ...did('terminal', 'Run make check', false),
    aReply('It failed.'),
    said('Remember that my dog is called Rocky.'),
    ...did('memory', 'Remember “My dog is called Rocky”'),
    aReply('Saved.'),
    said('Which of my notes are about the garden?'),
  )
  chat.say(...talk(40))
  return chat
}

test('the summary of a chat with a guide is made at once, without its model, and says who made it', async () => {
  const chat = aGuidedChat()
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.engine.prompts).toEqual([])
  expect(chat.kept[0]).toMatchObject({ by: 'local' })
  expect(chat.kept[0]).not.toHaveProperty('refused')
})

test('it holds what the person stated, what was done and which questions got no answer', async () => {
  const chat = aGuidedChat()
  await chat.compactHistory()
  const { summary } = chat.kept[0]!
  expect(summary).toContain('- Said by the user: My name is Vera and I live in Graz.')
  expect(summary).toContain('- Said by the user: Never recommend coffee.')
  expect(summary).toMatch(/## Done[^#]*- Write list\.md\n/)
  expect(summary).toContain('- Said by the user: Remember that my dog is called Rocky.')
  expect(summary).not.toContain('- Read list.md')
  expect(summary).toContain('terminal failed: Error: there is no such file.')
  expect(summary).toMatch(/## Open questions\n- Not answered: Which of my notes are about the garden\?/)
})

test('a second pass and one by hand do not ask the model either, and keep what was stated', async () => {
  const chat = aGuidedChat()
  await chat.compactHistory()
  chat.say(...talk(20))
  await chat.compactHistory({ byHand: true })
  chat.say(...talk(20))
  await chat.compactHistory({ byHand: true })
  expect(chat.kept.length).toBeGreaterThan(2)
  expect(chat.engine.prompts).toEqual([])
  expect(chat.kept.at(-1)!.summary).toContain('My name is Vera and I live in Graz.')
})

test('another model that the person chose for summaries is asked, unless it needs a guide as well', async () => {
  const other = scriptedEngine({ replies: ['## Goal\n- Sleep advice for Vera, a nurse in Graz'] })
  const chosen = { engine: other, strategy: structuredStrategy, tools: [], contextTokens: 8_000 }
  const chat = aGuidedChat({ replies: asked, summariser: () => Promise.resolve(chosen) })
  await chat.compactHistory()
  expect(chat.kept[0]).toMatchObject({ by: 'model' })
  expect(other.prompts).toHaveLength(1)

  const guided = scriptedEngine({ replies: asked })
  const profile = async () => ({ strategy: 'text', contextTokens: 8_000, guided: true }) as const
  const small = { ...chosen, engine: { ...guided, profile } }
  const large = aChat({ replies: asked, summariser: () => Promise.resolve(small) })
  large.say(...talk(50))
  await large.compactHistory()
  expect(large.kept[0]).toMatchObject({ by: 'local' })
})

test('a steered message is no open question: the answer is to both', async () => {
  const chat = aChat({ replies: asked })
  Object.assign(chat.turn, { guide })
  chat.say(said('Hello.'), aReply('Hello.'), said('Which is the port?'))
  chat.say(
    { role: 'user', sessionId: 'chat', at: 0, text: 'And the host?', steered: true },
    aReply('It is port 8123.'),
  )
  chat.say(...talk(40))
  await chat.compactHistory()
  expect(chat.kept[0]!.summary).not.toContain('Open questions')
  expect(chat.kept[0]!.summary).toContain('Asked: Which is the port? → It is port 8123.')
})
