import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChatGpt } from './chatgpt.ts'
import { aChatGptChat, aChatGptMessage } from '../../../../testing/chats/an-export.ts'

const NOW = 1_800_000_000_000
const read = (value: object) => readChatGpt(value, 'chatgpt:x', NOW)
const textsOf = (value: object) => read(value).chat?.messages.map(({ role, text }) => `${role}: ${text}`)

test('a chat keeps its title, its times, and who said what with which model', () => {
  const { chat, skips } = read(aChatGptChat('a', ['Which port?', '8443.'], { title: 'Ports' }))
  expect(chat).toEqual({
    key: 'chatgpt:x',
    parentKey: null,
    title: 'Ports',
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_120_000,
    messages: [
      { role: 'user', text: 'Which port?', at: 1_700_000_000_000, model: '' },
      { role: 'assistant', text: '8443.', at: 1_700_000_060_000, model: 'gpt-4o' },
    ],
  })
  expect(skips).toEqual([])
})

test('for an edited question the last version is imported, and the other is reported', () => {
  const other = { parent: 'root', children: [], message: aChatGptMessage('user', ['What port?']) }
  const value = aChatGptChat('a', ['Which port?', '8443.'], { extra: { other } })
  expect(textsOf(value)).toEqual(['user: Which port?', 'assistant: 8443.'])
  expect(read(value).skips).toMatchObject([{ what: 'message', count: 1 }])
  expect(textsOf({ ...value, current_node: 'other' })).toEqual(['user: What port?'])
})

test('without a current node the newest branch is taken, and a cycle of parents ends', () => {
  const value = aChatGptChat('a', ['one', 'two'])
  expect(textsOf({ ...value, current_node: null })).toEqual(['user: one', 'assistant: two'])
  const ring = {
    x: { parent: 'y', message: aChatGptMessage('user', ['x']) },
    y: { parent: 'x', message: null },
  }
  expect(textsOf({ ...value, mapping: ring, current_node: 'x' })).toEqual(['user: x'])
})

test('tools, thoughts, hidden instructions and pictures are left out', () => {
  const node = (parent: string, message: object) => ({ parent, message, children: [] })
  const extra = {
    t1: node('n0', aChatGptMessage('assistant', ['print(1)'], { recipient: 'python' })),
    t2: node('t1', aChatGptMessage('tool', ['1'])),
    t3: node('t2', aChatGptMessage('assistant', [], { content: { content_type: 'thoughts', thoughts: [] } })),
    t4: node(
      't3',
      aChatGptMessage('user', ['be nice'], { metadata: { is_visually_hidden_from_conversation: true } }),
    ),
    t5: node('t4', aChatGptMessage('user', [{ content_type: 'image_asset_pointer' }, 'What is this?'])),
  }
  const value = { ...aChatGptChat('a', ['Count.'], { extra }), current_node: 't5' }
  expect(textsOf(value)).toEqual(['user: Count.', 'user: What is this?'])
  expect(read(value).skips.map(({ what, count }) => `${count} ${what}`)).toEqual([
    '1 message',
    '1 message',
    '1 message',
    '1 attachment',
  ])
})

test('references to sources are removed from the text, and spoken text is kept', () => {
  const spoken = { content_type: 'audio_transcription', text: 'Hello there' }
  const value = aChatGptChat('a', [
    'q',
    'Bern \uE200cite\uE202turn0search1\uE201is the capital【12†source】.',
  ])
  expect(textsOf(value)?.[1]).toBe('assistant: Bern is the capital.')
  const said = { n0: { parent: null, message: aChatGptMessage('user', [spoken]) } }
  expect(textsOf({ ...value, mapping: said, current_node: 'n0' })).toEqual(['user: Hello there'])
})

test('invalid times are replaced by neighbouring ones', () => {
  const value = { ...aChatGptChat('a', ['one'], { at: 1_700_000_000 }), create_time: 'soon', update_time: -1 }
  expect(read(value).chat).toMatchObject({ createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000 })
  const timeless = {
    mapping: { n: { parent: null, message: aChatGptMessage('user', ['hi']) } },
    current_node: 'n',
  }
  expect(read(timeless).chat).toMatchObject({ title: '', createdAt: NOW, messages: [{ at: NOW }] })
})

test('an empty chat, or something that is not a chat, is reported', () => {
  expect(read(aChatGptChat('a', [' ']))).toEqual({
    skips: [{ what: 'chat', why: 'it is empty', count: 1 }],
  })
  expect(read({ mapping: 'broken' }).chat).toBeUndefined()
})

test('no JSON value makes it throw', () => {
  const node = fc.record(
    {
      parent: fc.constantFrom('a', 'b', '__proto__', null, 3),
      message: fc.oneof(
        fc.jsonValue(),
        fc.record({
          author: fc.record({ role: fc.constantFrom('user', 'x') }),
          content: fc.jsonValue(),
          create_time: fc.jsonValue(),
          metadata: fc.jsonValue(),
        }),
      ),
    },
    { requiredKeys: [] },
  )
  const mapping = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
    fc.oneof(node, fc.jsonValue()),
  )
  fc.assert(
    fc.property(
      mapping,
      fc.constantFrom('a', '__proto__', null, 7),
      fc.jsonValue(),
      (mapping, current_node, title) => {
        const { chat, skips } = read({ mapping, current_node, title })
        expect(chat !== undefined || skips.length > 0).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})
