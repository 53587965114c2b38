import { expect, test } from 'vitest'
import { aTurn, inShort } from '../../../../testing/agent/a-turn.ts'
import type { CallStep } from '../turn-types.ts'
import { inOrder } from './step-order.ts'

const call = (name: string, given: Record<string, unknown> = {}) => ({ call: { name, arguments: given } })
const read = call('read_file', { path: 'a' })
const write = call('write_file', { path: 'a', content: '' })
const stepOf = (given: Partial<CallStep>): CallStep => ({ name: 'a test', ...given })
const broken = () => {
  throw new Error('a bug in a step')
}

test('steps have their turn in the order of the table, however they were put together', () => {
  const names = ['cap', 'marks', 'copies', 'skill_keys', 'mine', 'watch', 'second_look', 'yours', 'policy']
  const steps = names.map(name => ({
    name,
    check: (_at: unknown, verdict: never) => verdict,
    around: (_at: unknown, given: object, run: (given: object) => Promise<never>) => run(given),
    after: (_at: unknown, result: never) => result,
  }))
  const order = (hook: 'check' | 'around' | 'after') => inOrder(steps, hook).map(({ name }) => name)
  const own =
    (...wanted: string[]) =>
    (name: string) =>
      wanted.includes(name)
  expect(order('check').slice(0, 3)).toEqual(['policy', 'skill_keys', 'second_look'])
  expect(order('around').filter(own('mine', 'yours', 'watch', 'skill_keys', 'copies'))).toEqual([
    'mine',
    'yours',
    'watch',
    'skill_keys',
    'copies',
  ])
  expect(order('after').filter(own('skill_keys', 'mine', 'marks', 'cap'))).toEqual([
    'skill_keys',
    'mine',
    'marks',
    'cap',
  ])
})

test('a check can deny what the policy allows, and says why to the model', async () => {
  const check: CallStep['check'] = () => ({ verdict: 'deny', by: 'policy', reason: 'It is late.' })
  const { messages, trace } = await aTurn({ steps: [stepOf({ check })], replies: [[read], 'Done.'] })
  expect([inShort(messages)[2], trace]).toEqual(['error: Error: Denied: It is late.', []])
  expect(messages[2]).toMatchObject({ record: { decision: 'denied', by: 'policy', why: 'It is late.' } })
})

test('a check cannot let run what the policy asks about or denies', async () => {
  const check: CallStep['check'] = () => ({
    verdict: 'allow',
    ground: { by: 'policy', how: 'undoable' },
    access: 'unconfined',
  })
  const loose = stepOf({ check })
  const asked = await aTurn({ steps: [loose], answers: ['deny'], replies: [[write], 'Done.'] })
  const denied = await aTurn({ steps: [loose], approval: 'none', replies: [[write], 'Done.'] })
  const alone = await aTurn({ steps: [loose], policy: false, approval: 'full', replies: [[write], 'Done.'] })
  expect([asked, denied, alone].map(({ trace }) => trace)).toEqual([[], [], []])
  expect([asked, denied].map(({ messages }) => messages[2])).toMatchObject([
    { record: { by: 'user' } },
    { record: { by: 'nobody' } },
  ])
})

test.for([
  ['a check', { check: broken }],
  ['an around before the tool ran', { around: broken }],
] as const)('%s that throws denies', async ([, given]) => {
  const { messages, trace, reported, reason } = await aTurn({
    approval: 'full',
    steps: [stepOf(given)],
    replies: [[write], 'Done.'],
  })
  expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'denied', by: 'policy' } })
  expect([trace, reported, reason]).toEqual([[], [new Error('a bug in a step')], 'done'])
})

test.for<[string, Partial<CallStep>]>([
  [
    'an around after the tool ran',
    {
      async around(_at, given, run) {
        await run(given)
        return broken()
      },
    },
  ],
  ['an after', { after: broken }],
])('%s that throws withholds the result, and the call is recorded as run', async ([, given]) => {
  const { messages, trace, reported } = await aTurn({
    approval: 'full',
    steps: [stepOf(given)],
    replies: [[write], 'Done.'],
  })
  expect(trace).toEqual(['write a'])
  expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'ran', by: 'mode' } })
  expect(inShort(messages)[2]).not.toContain('wrote a')
  expect(reported).toEqual([new Error('a bug in a step')])
})

test('what a broken step withholds keeps the mark of whose text it is', async () => {
  const mark = { id: 'text_1', source: 'the server notes' }
  const { messages } = await aTurn({
    steps: [
      stepOf({ name: 'skill_keys', after: (_at, result) => ({ ...result, marks: [mark] }) }),
      stepOf({ after: broken }),
    ],
    replies: [[read], 'Done.'],
  })
  expect(messages[2]).toMatchObject({ ok: false, marks: [mark] })
})

test('without a step that judges nothing runs', async () => {
  const { messages, trace } = await aTurn({ policy: false, approval: 'full', replies: [[read], 'Done.'] })
  expect([messages[2], trace]).toEqual([
    expect.objectContaining({ ok: false, record: expect.objectContaining({ decision: 'denied' }) }),
    [],
  ])
})

test('a step may begin a turn with a call, which is judged and stored like one of the model', async () => {
  const begun: string[] = []
  const { messages, prompts, reason } = await aTurn({
    steps: [
      stepOf({
        async begin(turn) {
          begun.push(turn.sessionId)
          return { id: 'call_begin', name: 'read_file', arguments: { path: 'a' } }
        },
      }),
    ],
    replies: ['It says what it says.'],
  })
  expect([begun, reason, prompts.length]).toEqual([['s'], 'done', 1])
  expect(inShort(messages).slice(1)).toEqual([
    'assistant: read_file(a)',
    'result: content of a',
    'assistant: It says what it says.',
  ])
  expect(messages[2]).toMatchObject({ record: { decision: 'ran', by: 'policy', how: 'reads_folder' } })
})

test('a step that fails to begin a turn begins nothing, and the turn goes on', async () => {
  const { messages, reported } = await aTurn({
    steps: [stepOf({ begin: () => Promise.reject(new Error('a bug in a step')) })],
    replies: ['Hello.'],
  })
  expect([inShort(messages).slice(1), reported]).toEqual([
    ['assistant: Hello.'],
    [new Error('a bug in a step')],
  ])
})
