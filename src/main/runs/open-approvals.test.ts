import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Approval } from '../../shared/contract/runs/run.ts'
import { Fault } from '../../shared/rpc.ts'
import { createOpenApprovals } from './open-approvals.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const approval: Approval = {
  id: 'ask_1',
  callId: 'call_1',
  tool: 'write_file',
  title: 'Write a.txt',
  detail: 'a.txt',
  folder: '/desk',
  reason: 'It changes a file.',
  risk: 'write',
  mayAllowInChat: true,
}
const once = { decision: 'once', note: '' } as const

/** Open approvals with a stop signal, and a counter of changes. */
function aQuestion(waitMs = 600_000) {
  const stop = new AbortController()
  const changes: boolean[] = []
  const questions = createOpenApprovals(waitMs, () => changes.push(questions.waiting))
  return { questions, changes, stop, asked: questions.ask(approval, stop.signal) }
}

test('an answer is passed on, and the run is marked as waiting only until then', async () => {
  const { questions, changes, asked } = aQuestion()
  questions.answer('ask_1', once)
  expect(await asked).toEqual(once)
  expect(changes).toEqual([true, false])
})

test('the second of two answers is told that it came too late', async () => {
  const { questions, asked } = aQuestion()
  questions.answer('ask_1', once)
  expect(() => questions.answer('ask_1', { decision: 'deny', note: '' })).toThrow(
    new Fault('not_found', 'This question was already answered.'),
  )
  expect(await asked).toEqual(once)
})

test('a stop is a denial', async () => {
  const { questions, stop, asked } = aQuestion()
  stop.abort()
  expect(await asked).toEqual({ decision: 'deny', note: 'The turn was stopped.', unanswered: true })
  expect(() => questions.answer('ask_1', once)).toThrow(Fault)
})

test('an approval requested after a stop is denied at once', async () => {
  const { questions, stop } = aQuestion()
  stop.abort()
  const late = await questions.ask({ ...approval, id: 'ask_2' }, stop.signal)
  expect([late.decision, questions.waiting]).toEqual(['deny', false])
})

test('several approvals can be open at once, each with its own answer', async () => {
  const { questions, asked, stop } = aQuestion()
  const second = questions.ask({ ...approval, id: 'ask_2' }, stop.signal)
  questions.answer('ask_2', { decision: 'deny', note: 'no' })
  expect([(await second).note, questions.waiting]).toEqual(['no', true])
  questions.answer('ask_1', once)
  expect([await asked, questions.waiting]).toEqual([once, false])
})

test.for([
  [6_000, 'Nobody answered within 6 seconds.'],
  [60_000, 'Nobody answered within a minute.'],
  [600_000, 'Nobody answered within 10 minutes.'],
] as const)(
  'after %i ms without an answer the approval is denied with that reason',
  async ([waitMs, note]) => {
    const { questions, changes, asked } = aQuestion(waitMs)
    vi.advanceTimersByTime(waitMs - 1)
    expect(questions.waiting).toBe(true)
    vi.advanceTimersByTime(1)
    expect(await asked).toEqual({ decision: 'deny', note, unanswered: true })
    expect(changes).toEqual([true, false])
  },
)

test('an answered approval leaves no timer and no listener', async () => {
  const { questions, stop, asked } = aQuestion()
  questions.answer('ask_1', once)
  await asked
  expect([vi.getTimerCount(), getEventListeners(stop.signal, 'abort')]).toEqual([0, []])
})
