import { setImmediate as macrotask } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../tools/registry/tool.ts'
import { aTurn, inShort } from '../../../../testing/agent/a-turn.ts'
import type { CallStep } from '../turn-types.ts'
import { watchStep } from './command-steps.ts'

// Steps that fail, hang, or throw immediately or after the turn.

afterEach(() => vi.useRealTimers())

const call = (name: string, given: Record<string, unknown> = {}) => ({ call: { name, arguments: given } })
const read = call('read_file', { path: 'a' })
const write = call('write_file', { path: 'a', content: '' })
const stepOf = (given: Partial<CallStep>): CallStep => ({ name: 'a test', ...given })
const bug = new Error('a bug in a step')
const throws = () => {
  throw bug
}
const hangs = () => new Promise<never>(() => {})
const MARK = { id: 'text_1', source: 'the server notes' }

test('what one check denies stays denied, whatever a later one says', async () => {
  const later: string[] = []
  const { messages, trace } = await aTurn({
    approval: 'none',
    steps: [
      stepOf({
        check(at) {
          later.push(at.call.name)
          return { verdict: 'allow', ground: { by: 'policy' }, access: 'unconfined' }
        },
      }),
    ],
    replies: [[write], 'Done.'],
  })
  expect([trace, later]).toEqual([[], []])
  expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'denied', by: 'nobody' } })
})

test('a beginning that throws at once begins nothing either', async () => {
  const { messages, reported } = await aTurn({ steps: [stepOf({ begin: throws })], replies: ['Hello.'] })
  expect([inShort(messages).slice(1), reported]).toEqual([['assistant: Hello.'], [bug]])
})

test.for<[string, Partial<CallStep>]>([
  ['begins a turn', { begin: hangs }],
  ['judges a read', { check: hangs }],
])('a step that hangs while it %s does not block a stop', async ([, given]) => {
  let stopTurn = () => {}
  const hanging = aTurn({
    steps: [
      stepOf({
        begin(_turn, ports) {
          ports.emit({ type: 'warning', text: '' })
          return Promise.resolve(undefined)
        },
      }),
      stepOf(given),
    ],
    replies: [[read], 'Done.'],
    onEvent: (_event, stop) => (stopTurn = stop),
  })
  for (let n = 0; n < 10; n++) await macrotask()
  stopTurn()
  expect((await hanging).reason).toBe('stopped')
})

test('a step around the tool that throws at once denies, and ends what is around it', async () => {
  const guarded: string[] = []
  const guards = {
    expectFile(path: string) {
      guarded.push(path)
      return () => void guarded.pop()
    },
  }
  const { messages, trace, reported } = await aTurn({
    approval: 'full',
    steps: [
      stepOf({ around: (_at, given, run) => run({ ...given, guards: guards as never }) }),
      watchStep(),
      stepOf({ name: 'copies', around: throws }),
    ],
    replies: [[write], 'Done.'],
  })
  expect([trace, guarded, reported]).toEqual([[], [], [bug]])
  expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'denied' } })
})

test('a step around the tool that refuses a call leaves it on record as not run', async () => {
  const { messages, trace } = await aTurn({
    approval: 'full',
    steps: [stepOf({ around: async () => ({ ok: false, reason: 'Somebody else writes it.' }) })],
    replies: [[write], 'Done.'],
  })
  expect(trace).toEqual([])
  expect(messages[2]).toMatchObject({
    text: 'Error: Somebody else writes it.',
    record: { decision: 'not_run' },
  })
})

test('what a tool did is known, although a step around it fails afterwards', async () => {
  const patch = defineTool({
    name: 'patch',
    says: 'Patches.',
    input: z.object({}),
    toolset: 'files',
    risk: 'write',
    intent: async () => ({
      title: 'Patch',
      detail: '',
      risk: 'write',
      inWorkspace: true,
      folder: '/desk',
    }),
    run: async () => ({ ok: true, text: 'secret text', marks: [MARK], files: ['a'], exitCode: 3 }),
  })
  const { messages } = await aTurn({
    approval: 'full',
    tools: [patch],
    steps: [
      stepOf({
        async around(_at, given, run) {
          await run(given)
          return throws()
        },
      }),
    ],
    replies: [[call('patch')], 'Done.'],
  })
  expect(messages[2]).toMatchObject({
    ok: false,
    marks: [MARK],
    record: { decision: 'ran', files: ['a'], exitCode: 3 },
  })
  expect(inShort(messages)[2]).not.toContain('secret text')
})

test('a question that cannot be asked denies the call, and the turn goes on', async () => {
  const { messages, trace, reported, reason } = await aTurn({
    onEvent: event => {
      if (event.type === 'approval_request') throws()
    },
    replies: [[write], 'Done.'],
  })
  expect([reason, trace, reported]).toEqual(['done', [], [bug]])
  expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'denied', by: 'policy' } })
})

test('a call that is still waiting when it is left behind never runs, and a throw after that is logged', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const gate = Promise.withResolvers<void>()
  const turn = aTurn({
    approval: 'full',
    steps: [
      stepOf({
        async around(_at, given, run) {
          await gate.promise
          await run(given)
          return throws()
        },
      }),
    ],
    replies: [[write]],
    onEvent: (event, stop) => event.type === 'tool_call' && setImmediate(stop),
  })
  for (let n = 0; n < 10; n++) await macrotask()
  await vi.advanceTimersByTimeAsync(2_000)
  const { messages, trace, reported } = await turn
  gate.resolve()
  for (let n = 0; n < 10; n++) await macrotask()
  expect(trace).toEqual([])
  expect(reported).toEqual([bug])
  expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'stopped' } })
})
