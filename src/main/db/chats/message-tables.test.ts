import { CallRecord } from '../../../shared/contract/runs/call-record.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Message } from '../../../shared/contract/chats/messages.ts'
import { aChat, assistant, aStore, aUsage, toolResult, user } from '../../../../testing/db/a-store.ts'
import { previewOf } from './message-tables.ts'

test('messages are read back unchanged and in order', () => {
  using store = aStore()
  const { id } = aChat(store)
  const said = [
    user(id, 'Read a.txt'),
    assistant(id, 'Reading.', {
      reasoning: 'The person wants a file.',
      calls: [
        { id: 'call_1', name: 'read_file', arguments: { path: 'a.txt', deep: { list: [1, null, 'x'] } } },
      ],
      raw: 'Reading.<tool_call>{"name":"read_file"}</tool_call>',
      usage: aUsage(),
    }),
    toolResult(id, 'line one\r\nline two\0', {
      ok: false,
      record: { decision: 'ran' },
      title: 'Read a.txt',
    }),
    assistant(id, 'It has two lin', { interrupted: true }),
  ]
  const appended = said.map(message => store.messages.append(message))
  expect(appended).toEqual(said.map((message, at) => ({ id: at + 1, ...message })))
  expect(store.messages.page(id, { limit: 10 })).toEqual({ messages: appended, more: false })
  expect(store.messages.history(id)).toEqual(appended)
})

test('a history can be read from one message on, or only its newest part', () => {
  using store = aStore()
  const { id } = aChat(store)
  const [, second, third] = ['a', 'b', 'c'].map(text => store.messages.append(user(id, text)))
  store.messages.append(user(aChat(store).id, 'of another chat'))
  expect(store.messages.history(id, { since: second!.id })).toEqual([second, third])
  expect(store.messages.history(id, { most: 2 })).toEqual([second, third])
  expect(store.messages.history(id, { since: second!.id, most: 1 })).toEqual([third])
})

test('any message is read back as stored, and fits the contract', () => {
  using store = aStore()
  const { id } = aChat(store)
  const halves = fc.string({ unit: fc.constantFrom('\ud83d', '\ude80', 'a') })
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), halves)
  // JSON and SQLite know no negative zero.
  const time = fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0)
  // The contract drops an argument with this name, but the store does not.
  const name = text.filter(each => each !== '__proto__')
  const args = fc.dictionary(name, fc.jsonValue()).map(value => JSON.parse(JSON.stringify(value)))
  const call = fc.record({ id: text, name: text, arguments: args })
  const rest = { sessionId: fc.constant(id), at: time, text }
  const message = fc.oneof(
    fc.record({ ...rest, role: fc.constant('user' as const) }),
    fc.record(
      {
        ...rest,
        role: fc.constant('assistant' as const),
        reasoning: text,
        calls: fc.array(call, { maxLength: 3 }),
        interrupted: fc.boolean(),
        model: text,
        raw: text,
        usage: fc.record({ promptTokens: fc.nat(), outputTokens: fc.nat() }).map(given => aUsage(given)),
      },
      { requiredKeys: ['sessionId', 'at', 'text', 'role', 'reasoning', 'calls', 'interrupted', 'model'] },
    ),
    fc.record({
      ...rest,
      role: fc.constant('tool' as const),
      callId: text,
      name: text,
      ok: fc.boolean(),
      durationMs: time,
      record: fc.record(
        {
          decision: fc.constantFrom(...CallRecord.shape.decision.options),
          by: fc.constantFrom(...CallRecord.shape.by.unwrap().options),
          why: text,
          rules: fc.array(text, { maxLength: 2 }),
          exitCode: fc.integer({ min: -1_000, max: 1_000 }),
        },
        { requiredKeys: ['decision'] },
      ),
    }),
  )
  fc.assert(
    fc.property(message, given => {
      const appended = store.messages.append(given)
      expect(store.messages.page(id, { limit: 1 }).messages).toEqual([appended])
      expect(Message.parse(appended)).toEqual(appended)
      expect(appended.text).toBe(given.text.toWellFormed())
    }),
  )
})

test('paging back through a chat has no gaps or repeats', () => {
  using store = aStore()
  const { id } = aChat(store)
  const other = aChat(store)
  const ids: number[] = []
  for (let n = 0; n < 25; n += 1) {
    store.messages.append(user(other.id, 'elsewhere'))
    ids.push(store.messages.append(user(id, `message ${n}`)).id)
  }
  const pages: number[][] = []
  for (let before: number | undefined, more = true; more;) {
    const page = store.messages.page(id, { limit: 10, ...(before !== undefined && { before }) })
    pages.push(page.messages.map(message => message.id))
    before = page.messages[0]?.id
    more = page.more
  }
  expect(pages).toEqual([ids.slice(15), ids.slice(5, 15), ids.slice(0, 5)])
})

test('a message to a chat that does not exist is refused', () => {
  using store = aStore()
  expect(() => store.messages.append(user('chat_none', 'hello'))).toThrow('This chat no longer exists.')
})

test('a message that cannot be stored leaves no trace in its chat', () => {
  using store = aStore()
  const chat = aChat(store)
  const broken = { ...user(chat.id, 'text'), at: NaN }
  expect(() => store.messages.append(broken)).toThrow('NOT NULL')
  expect(store.sessions.get(chat.id)).toEqual(chat)
})

/** The title of a chat that begins with a text. */
function titleOf(store: ReturnType<typeof aStore>, text: string): string {
  const { id } = aChat(store)
  store.messages.append(user(id, text))
  return store.sessions.get(id)!.title
}

test.for([
  ['List the files', 'List the files'],
  ['\n\n  first   line \nsecond', 'first line'],
  ['# Heading\ntext', 'Heading'],
  ['- [ ] buy milk', '[ ] buy milk'],
  ['---\nname: x', 'name: x'],
  ['👩‍👩‍👧‍👧', '👩‍👩‍👧‍👧'],
  ['   ', ''],
  [
    'Please explain to me how the borrow checker of Rust works, with examples',
    'Please explain to me how the borrow checker of Rust works…',
  ],
  ['x'.repeat(80), `${'x'.repeat(59)}…`],
  ['漢字'.repeat(40), `${'漢字'.repeat(29)}漢…`],
] as const)('the title of %j is %j', ([text, title]) => {
  using store = aStore()
  expect(titleOf(store, text)).toBe(title)
})

test('a preview is one line', () => {
  expect(previewOf('Here it is:\n\n```js\nx()\n```')).toBe('Here it is: ```js x() ```')
})

test('for any text a title is one line of at most 60 letters', () => {
  using store = aStore()
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), text => {
      const title = titleOf(store, text)
      expect(Array.from(letters.segment(title)).length).toBeLessThanOrEqual(60)
      expect(title).toBe(title.trim().replaceAll(/[\p{Cc}\n]/gu, ''))
      expect(title.isWellFormed()).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('a history is the beginning of a chat and what comes after its newest summary, in any part of it', () => {
  using store = aStore()
  const { id } = aChat(store)
  const said = Array.from({ length: 12 }, (_, n) => store.messages.append(user(id, `line ${n}`)))
  const ids = said.map(message => message.id)
  const figures = {
    at: 1,
    by: 'local',
    focus: '',
    tokensBefore: 2,
    tokensAfter: 1,
    useless: 0,
    modelId: '',
    byHand: false,
  } as const
  const compact = (headId: number, upToId: number, summary: string, questionId = 0) =>
    store.compactions.add({
      sessionId: id,
      headId,
      upToId,
      prunedToId: upToId,
      questionId,
      summary,
      ...figures,
    })
  compact(0, 0, '')
  expect(store.messages.history(id)).toEqual(said)
  compact(ids[1]!, ids[4]!, 'Four lines.')
  compact(ids[1]!, ids[7]!, 'Seven lines.')
  const kept = said.filter(message => message.id <= ids[1]! || message.id > ids[7]!)
  expect(store.messages.history(id)).toEqual(kept)
  expectPages(kept)

  // In a turn whose steps are summarised, the user's message stays.
  const step = store.messages.append(assistant(id, 'A step.'))
  const rest = [13, 14].map(n => store.messages.append(user(id, `line ${n}`)))
  compact(0, step.id, 'Ten lines and a step.', ids[9])
  const asked = said.filter(message => message.id >= ids[9]!)
  expect(store.messages.history(id)).toEqual([...asked, ...rest])
  expectPages([...asked, ...rest])

  /** Check that any requested page is part of these messages. */
  function expectPages(all: readonly Message[]) {
    for (let since = 0; since <= 16; since++)
      for (let before = since; before <= 17; before++)
        for (const most of [1, 2, 3, 5, 9]) {
          const within = all.filter(message => message.id >= since && message.id < before)
          expect(store.messages.history(id, { since, before, most })).toEqual(within.slice(-most))
        }
  }
})
