import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import { aReply, isLegal } from '../../../../testing/agent/a-turn.ts'
import type { AssistantMessage, Message } from '../../../shared/contract/chats/messages.ts'
import type { SentCall } from '../../models/interface/engine.ts'
import { withBriefCalls } from './brief-calls.ts'
import { placeholderRefusal } from './placeholders.ts'

type Arguments = Record<string, unknown>

/** A reply with calls, and their results. */
function aStep(given: readonly Arguments[], ok: readonly boolean[], reply: Partial<AssistantMessage> = {}) {
  const calls = given.map((each, at) => ({ id: `c${at}`, name: 'put', arguments: each }))
  const results = calls.map(({ id, name }, at): Message => ({
    role: 'tool',
    id: at + 3,
    sessionId: 's',
    at: 0,
    callId: id,
    name,
    ok: ok[at] ?? true,
    text: 'x',
    durationMs: 0,
    record: { decision: 'ran' },
  }))
  const question: Message = { role: 'user', id: 1, sessionId: 's', at: 0, text: 'Go.' }
  return [question, { ...aReply('', reply), id: 2, calls }, ...results]
}
const briefOf = (given: Arguments, ok = true, reply: Partial<AssistantMessage> = {}) => {
  const [, brief] = withBriefCalls(aStep([given], [ok], reply), () => true)
  return brief as AssistantMessage
}
const sentOf = (given: Arguments, ok = true) => briefOf(given, ok).calls[0] as SentCall

const long = 'a long text of many words '.repeat(40)
const NOTE = / … \[Only the beginning is shown here; the call ran with all [\d,]+ (?:characters|items)\.\]$/

test.for<[kind: string, given: Arguments, sent: Arguments]>([
  ['a file', { path: 'a.md', content: long }, { path: 'a.md', content: expect.stringMatching(NOTE) }],
  [
    'a patch',
    { path: 'a.md', old_string: long, new_string: long, replace_all: true },
    {
      path: 'a.md',
      old_string: expect.stringMatching(NOTE),
      new_string: expect.stringMatching(NOTE),
      replace_all: true,
    },
  ],
  ['a script', { command: `cat > x << E\n${long}` }, { command: expect.stringMatching(/^cat > x << E\n/) }],
  [
    'the arguments of a connected server',
    { name: 'mcp__notes__add', arguments: { page: { title: 'T', blocks: [{ text: long }] }, draft: false } },
    {
      name: 'mcp__notes__add',
      arguments: { page: { title: 'T', blocks: [{ text: expect.stringMatching(NOTE) }] }, draft: false },
    },
  ],
  [
    'a long list of texts',
    { lines: Array.from({ length: 200 }, (_, n) => `line ${n}`) },
    { lines: ['line 0', expect.stringMatching(/^line 1 … .* all 200 items\.\]$/)] },
  ],
  [
    'a long list of rows',
    { rows: Array.from({ length: 90 }, (_, id) => ({ id, name: `n${id}` })) },
    {
      rows: [
        { id: 0, name: 'n0' },
        { id: 1, name: expect.stringMatching(/^n1 … .* all 90 items\.\]$/) },
      ],
    },
  ],
])('of %s the beginning is left, in the same form', ([, given, sent]) => {
  expect(sentOf(given)).toMatchObject({ id: 'c0', name: 'put', arguments: sent, ran: given })
})

test.for<[kind: string, given: Arguments]>([
  ['short texts', { path: 'a.md', content: 'word '.repeat(60) }],
  ['numbers, which have no place for a note', { points: Array.from({ length: 500 }, (_, n) => n) }],
  ['nothing', {}],
])('%s stay as they are', ([, given]) => {
  expect(sentOf(given)).toEqual({ id: 'c0', name: 'put', arguments: given })
})

test('a call that failed stays whole, also beside one that succeeded', () => {
  expect(sentOf({ content: long }, false).arguments).toEqual({ content: long })
  const [, reply] = withBriefCalls(aStep([{ content: long }, { content: long }], [true, false]), () => true)
  const lengths = (reply as AssistantMessage).calls.map(call => String(call.arguments['content']).length)
  expect(lengths.map(each => each === long.length)).toEqual([false, true])
})

test('what the model wrote to the byte is not sent beside shortened calls, nor are its thoughts of old steps', () => {
  expect(briefOf({ content: long }, true, { raw: 'RAW' })).not.toHaveProperty('raw')
  expect(briefOf({ path: 'a' }, true, { raw: 'RAW' })).toHaveProperty('raw', 'RAW')
  expect(briefOf({ path: 'a' }, true, { raw: 'RAW', reasoning: 'Hm.' })).not.toHaveProperty('raw')
  expect(briefOf({ path: 'a' }, false, { raw: 'RAW', reasoning: 'Hm.' })).toHaveProperty('raw', 'RAW')
})

/** The types of values, which a schema is about. */
const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? [...new Set(value.map(each => JSON.stringify(shapeOf(each))))].slice(0, 1)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
      : typeof value

const aText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', minLength: 300, maxLength: 900 }),
)
const aValue = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    aText,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string({ maxLength: 6 }), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('whatever calls carry: kinds stay, nothing grows, a second time changes nothing, and others are not touched', () => {
  const { met, atLeast } = countCases<'shortened' | 'whole'>()
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ maxLength: 6 }), aValue, { maxKeys: 4 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      (given, ok) => {
        const messages = aStep(given, ok)
        const copy = structuredClone(messages)
        const sent = withBriefCalls(messages, () => true)
        expect(messages).toEqual(copy)
        expect(isLegal(sent)).toBe(true)
        expect(withBriefCalls(sent, () => true)).toEqual(sent)
        expect(withBriefCalls(messages, () => false)).toEqual(messages)
        const calls = (sent[1] as AssistantMessage).calls as SentCall[]
        for (const [at, call] of calls.entries()) {
          const [now, before] = [JSON.stringify(call.arguments), JSON.stringify(given[at])]
          met(now === before ? 'whole' : 'shortened')
          expect(Object.keys(call.arguments)).toEqual(Object.keys(given[at]!))
          for (const [name, value] of Object.entries(call.arguments))
            if (!Array.isArray(value)) expect(shapeOf(value)).toEqual(shapeOf(given[at]![name]))
          expect(now.length).toBeLessThanOrEqual(before.length)
          expect(now.isWellFormed()).toBe(true)
          expect(call.ran).toEqual(now === before ? undefined : given[at])
          // The remark in place of a text is always recognised.
          if (now !== before)
            expect(placeholderRefusal({ given: call.arguments })).toMatch(/^Nothing was done/)
        }
      },
    ),
    { numRuns: 300 },
  )
  atLeast({ shortened: 40, whole: 100 })
})

test('arguments of any depth are shortened without an end of the stack', () => {
  let deep: unknown = long
  for (let n = 0; n < 20_000; n++) deep = [deep]
  expect(sentOf({ deep }).arguments).toEqual({ deep })
  expect(placeholderRefusal({ deep })).toBeUndefined()
})
