import { expect, test } from 'vitest'
import { aChat, reading, said, talk, words } from '../../../../testing/agent/a-chat.ts'
import { aReply, isLegal } from '../../../../testing/agent/a-turn.ts'
import type { Message, NewMessage, ToolMessage } from '../../../shared/contract/chats/messages.ts'
import type { EngineFailure } from '../../models/interface/engine.ts'
import { fixedCost, tokensOf } from '../fit-history.ts'

const full: EngineFailure = { code: 'context_full', text: 'Too long.', fix: '' }

/** A file of `length` words that was written: the call and its result. */
const writing = (id: string, length: number, ok = true): NewMessage[] => {
  const call = { id, name: 'write_file', arguments: { path: `${id}.md`, content: words(length) } }
  const [, result] = reading(id, 3)
  return [
    aReply('', { sessionId: 'chat', calls: [call] }),
    { ...(result as Omit<ToolMessage, 'id'>), name: 'write_file', title: `Create ${id}.md`, ok },
  ]
}
const contentsOf = (messages: readonly Message[]) =>
  messages.flatMap(message =>
    message.role === 'assistant' ? message.calls.map(call => String(call.arguments['content'])) : [],
  )

test('of calls that succeeded the beginning of a long text is left, of calls that failed all of it', async () => {
  const chat = aChat({})
  chat.say(said('Do it.'), ...writing('w', 600), ...writing('x', 600, false), ...writing('y', 600))
  chat.say(...['a', 'b', 'c'].flatMap(id => reading(id, 1_000)))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.kept[0]).toMatchObject({ by: 'pruning', summary: '' })
  const [w, x] = contentsOf(chat.sent())
  expect(w).toMatch(/^word word .{90,} … \[Only the beginning .* all 2,999 characters\.\]$/)
  expect(x).toBe(words(600))
  expect(contentsOf(chat.messages)[0]).toBe(words(600))
})

test('a long turn of many written pages stays within its room, and most of its steps keep their prefix', async () => {
  const chat = aChat({ replies: () => '## Goal\n- Write forty pages' })
  chat.say(said('Write forty pages.'))
  let broken = 0
  let before: readonly Message[] = []
  for (let page = 1; page <= 40; page++) {
    chat.say(...writing(`page${page}`, 520))
    await chat.compactHistory()
    const sent = chat.sent()
    expect(isLegal(sent)).toBe(true)
    expect(sent[0]?.text).toBe('Write forty pages.')
    expect(contentsOf(sent).at(-1)).toBe(words(520))
    expect(fixedCost(chat.turn) + tokensOf(chat.turn, sent)).toBeLessThan(8_000 * 0.6)
    if (JSON.stringify(sent.slice(0, before.length)) !== JSON.stringify(before)) broken++
    before = sent
  }
  expect(broken).toBeLessThan(16)
  const summary = chat.kept.findLast(({ by }) => by !== 'pruning')!
  expect(summary).toMatchObject({ by: 'model', headId: 0, questionId: 1 })
  // The model does not decide which pages are done.
  expect(summary.summary).toMatch(/Create .*page12\.md, page13\.md/)
})

test('steps of a turn are summarised without a model too, with what was said and what failed', async () => {
  const chat = aChat({ replies: () => [{ fail: full }] })
  const steps = Array.from({ length: 12 }, (_, n) => [
    aReply(`I think about room ${n}. ${words(400)}`, { sessionId: 'chat' }),
    ...reading(`room${n}`, 3),
  ])
  // Models write a text and its calls in one reply.
  const joined = steps.map(([text, call, result]) => [{ ...call!, text: text!.text }, result!])
  chat.say(said('Stop what you did and look at all rooms.'), ...joined.flat(), ...writing('bad', 3, false))
  chat.say(...joined.flat())
  expect(await chat.compactHistory()).toBe('compacted')
  const { summary, by, questionId } = chat.kept.at(-1)!
  expect({ by, questionId }).toEqual({ by: 'local', questionId: 1 })
  expect(summary).toMatch(/Said: I think about room \d/)
  expect(summary).toMatch(/bad\.md failed/)
  expect(summary).not.toMatch(/has ended/)
  expect(chat.sent()[0]?.text).toBe('Stop what you did and look at all rooms.')
})

test('what the user writes during a long turn stays word for word beside its question', async () => {
  const chat = aChat({ replies: () => '## Goal\n- Go on' })
  const steered: NewMessage = {
    role: 'user',
    sessionId: 'chat',
    at: 0,
    text: 'In green, please.',
    steered: true,
  }
  const talking = (id: string) => {
    const [call, result] = reading(id, 3)
    return [{ ...call!, text: words(500) }, result!]
  }
  chat.say(...talk(2), said('Paint it.'), ...talking('a'), ...talking('b'), steered)
  chat.say(...['c', 'd', 'e', 'f', 'g', 'h'].flatMap(talking))
  expect(await chat.compactHistory()).toBe('compacted')
  const sent = chat.sent()
  expect(isLegal(sent)).toBe(true)
  const users = sent.filter(message => message.role === 'user').map(({ text }) => text)
  expect(users.slice(-3)).toEqual(['Paint it.', 'In green, please.', expect.stringMatching(/^\[Summary/)])
  chat.say(aReply('Painted.'), said('And the door?'))
  for (let more = 0; more < 4; more++) chat.say(...talk(6))
  expect(await chat.compactHistory()).toBe('compacted')
  // Once other questions follow, the summary has it.
  expect(chat.kept.at(-1)).toMatchObject({ questionId: 0 })
  expect(chat.sent().some(({ text }) => text === 'Paint it.')).toBe(false)
})

test('by hand the steps of a turn that has ended are summarised, and its question and answer stay', async () => {
  const chat = aChat({ contextTokens: 128_000, replies: ['## Done\n- wrote pages'] })
  chat.say(said('Write.'), ...['a', 'b', 'c', 'd'].flatMap(id => writing(id, 300)), aReply('Written.'))
  expect(await chat.compactHistory({ byHand: true })).toBe('compacted')
  const sent = chat.sent()
  expect([sent[0]?.text, sent.at(-1)?.text, isLegal(sent)]).toEqual(['Write.', 'Written.', true])
  expect(sent.length).toBeLessThan(8)
})

test('in a tiny window two long results are shortened as before, since a summary would take as much', async () => {
  const chat = aChat({ contextTokens: 2_048, system: words(740), replies: ['## Goal\n- Read'] })
  chat.say(said('Read both.'), ...reading('a', 420), ...reading('b', 420))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.kept).toMatchObject([{ by: 'pruning', summary: '' }])
  expect(chat.engine.prompts).toEqual([])
})

test('where a chat is compacted, older pictures of results are named in place of being sent', async () => {
  const chat = aChat({ replies: ['## Goal\n- Look'] })
  const looking = (id: string): NewMessage[] => {
    const picture = {
      hash: id.repeat(64),
      name: `${id}.png`,
      kind: 'picture',
      bytes: 9,
      use: 'picture',
    } as const
    const [call, result] = reading(id, 3)
    return [
      call!,
      { ...(result as Omit<ToolMessage, 'id'>), attachments: [{ ...picture, width: 900, height: 900 }] },
    ]
  }
  chat.say(said('Look.'), ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap(looking))
  expect(await chat.compactHistory()).toBe('compacted')
  const results = chat.sent().filter(message => message.role === 'tool')
  expect(results.at(-1)).toHaveProperty('attachments')
  expect(results[0]).not.toHaveProperty('attachments')
  expect(results[0]?.text).toContain('[Its picture a.png was left out to make room.')
})
