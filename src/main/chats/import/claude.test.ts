import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readClaude } from './claude.ts'
import { aClaudeChat } from '../../../../testing/chats/an-export.ts'

const read = (value: object) => readClaude(value, 'claude:x', 1_800_000_000_000)

test('a chat keeps its name, its times and who said what', () => {
  expect(read(aClaudeChat('a', ['Which port?', '8443.'], { name: 'Ports' }))).toEqual({
    chat: {
      key: 'claude:x',
      parentKey: null,
      title: 'Ports',
      createdAt: Date.UTC(2025, 2, 1, 10),
      updatedAt: Date.UTC(2025, 2, 2, 10),
      messages: [
        { role: 'user', text: 'Which port?', at: Date.UTC(2025, 2, 1, 10), model: '' },
        { role: 'assistant', text: '8443.', at: Date.UTC(2025, 2, 1, 10, 1), model: '' },
      ],
    },
    skips: [],
  })
})

test('text blocks are kept; tools, thoughts and files are reported', () => {
  const answer = {
    sender: 'assistant',
    text: 'This block is not supported.',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'First.' },
      { type: 'tool_use', name: 'web_search' },
      { type: 'text', text: 'Then.' },
    ],
    files: [{ file_name: 'a.png' }],
  }
  const { chat, skips } = read(aClaudeChat('a', ['Go.'], { messages: [answer, { sender: 'nobody' }] }))
  expect(chat?.messages.map(each => each.text)).toEqual(['Go.', 'First.\n\nThen.'])
  expect(skips.map(({ what, count }) => `${count} ${what}`)).toEqual([
    '2 message',
    '1 attachment',
    '1 message',
  ])
})

test('an older export without blocks is read', () => {
  const old = { sender: 'human', text: 'Just text.', created_at: '2024-01-01T00:00:00Z' }
  expect(read(aClaudeChat('a', [], { messages: [old] })).chat?.messages).toMatchObject([
    { text: 'Just text.' },
  ])
})

test('no JSON value makes it throw', () => {
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({
      sender: fc.constantFrom('human', 'x'),
      text: fc.jsonValue(),
      content: fc.jsonValue(),
      created_at: fc.jsonValue(),
    }),
  )
  fc.assert(
    fc.property(fc.oneof(fc.array(message), fc.jsonValue()), fc.jsonValue(), (chat_messages, name) => {
      const { chat, skips } = read({ chat_messages, name, created_at: name })
      expect(chat !== undefined || skips.length > 0).toBe(true)
    }),
    { numRuns: 500 },
  )
})
