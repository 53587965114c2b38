import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns } from '../../../testing/until.ts'
import type { CompletionEvent, EngineFailure, LlmEngine } from '../models/interface/engine.ts'
import { createServerGate } from './server-gate.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const failure = (code: EngineFailure['code'], more: Partial<EngineFailure> = {}): CompletionEvent => ({
  type: 'failed',
  code,
  text: `It is ${code}.`,
  fix: '',
  ...more,
})
const answer: CompletionEvent[] = [
  { type: 'text', text: 'Yes.' },
  {
    type: 'done',
    stop: 'end',
    usage: { promptTokens: 1, reusedTokens: 0, outputTokens: 1, contextTokens: 100, ms: 1 } as never,
  },
]

/** A gate before a server that answers with one list of events after the other; the last one repeats. */
function aGate(...replies: readonly (CompletionEvent[] | ((sessionId: string) => CompletionEvent[]))[]) {
  const asked: number[] = []
  const stopped: EngineFailure[] = []
  const queue = [...replies]
  const gate = createServerGate({
    now: Date.now,
    onChange: () => undefined,
    stop: why => void stopped.push(why),
  })
  const engine: LlmEngine = {
    modelId: 'server:a',
    name: 'A',
    profile: async () => ({ strategy: 'structured', contextTokens: 1_000 }),
    async *complete({ sessionId }) {
      asked.push(Date.now())
      const reply = queue.length > 1 ? queue.shift()! : queue[0]!
      yield* typeof reply === 'function' ? reply(sessionId) : reply
    },
    count: text => text.length,
  }
  const guarded = gate.guard(engine)
  const over = new AbortController()
  const ask = async (sessionId = 's') => {
    const events: CompletionEvent[] = []
    for await (const event of guarded.complete({ sessionId, messages: [], tools: [] }, over.signal))
      events.push(event)
    return events
  }
  return { gate, ask, asked, stopped, stop: () => over.abort() }
}

test('a server that is down holds its requests back, longer each time, and answers them once it is there', async () => {
  const began = Date.now()
  const { ask, asked, gate } = aGate(
    [failure('unreachable')],
    [failure('unreachable')],
    [failure('unreachable')],
    answer,
  )
  const asking = ask()
  await clockRuns(500)
  expect(gate.closed?.text).toBe('It is unreachable.')
  await clockRuns(10_000)
  expect(await asking).toEqual(answer)
  expect(asked.map(at => Math.round((at - began) / 1_000))).toEqual([0, 1, 3, 7])
  expect(gate.closed).toBeUndefined()
})

test('the wait that a server asks for counts', async () => {
  const began = Date.now()
  const { ask, asked } = aGate([failure('rate_limited', { waitMs: 30_000 })], answer)
  const asking = ask()
  await clockRuns(31_000, 500)
  expect(await asking).toEqual(answer)
  expect(asked[1]! - began).toBeGreaterThanOrEqual(30_000)
})

test('after a wait one request tries, and the others follow it', async () => {
  let isUp = false
  const { ask, asked } = aGate(() => (isUp ? answer : [failure('unreachable')]))
  const all = [ask('a'), ask('b'), ask('c'), ask('d')]
  await clockRuns(800)
  expect(asked.length).toBe(4)
  await clockRuns(600)
  expect(asked.length).toBe(5)
  isUp = true
  await clockRuns(4_000)
  for (const each of await Promise.all(all)) expect(each).toEqual(answer)
  expect(asked.length).toBe(9)
})

test('a request at which the server fails while it answers others is the fault of the request', async () => {
  const { ask, gate } = aGate(sessionId =>
    sessionId === 'poison' ? [failure('internal', { elsewhere: true })] : answer,
  )
  const poisoned = ask('poison')
  for (let at = 0; at < 12; at++) {
    await clockRuns(1_000, 500)
    void ask('other')
  }
  await clockRuns(10_000, 500)
  expect(await poisoned).toEqual([failure('internal', { elsewhere: true })])
  expect(gate.closed).toBeUndefined()
})

test('an answer that breaks off in the middle marks its chat, once', async () => {
  const { ask, gate } = aGate([answer[0]!, failure('engine_gone')], answer)
  expect(await ask('a')).toEqual([answer[0], failure('engine_gone')])
  expect(gate.wasBroken('b')).toBe(false)
  expect(gate.wasBroken('a')).toBe(true)
  expect(gate.wasBroken('a')).toBe(false)
})

test('what no wait mends stops the batch, and what is about one request does not', async () => {
  const { ask, stopped } = aGate(
    [failure('refused', { elsewhere: true })],
    [failure('refused')],
    [failure('context_full')],
  )
  await ask()
  expect(stopped.map(({ code }) => code)).toEqual(['refused'])
  await ask()
  await ask()
  expect(stopped.length).toBe(1)
})

test('a stop ends what waits', async () => {
  const { ask, stop } = aGate([failure('unreachable')])
  const asking = ask()
  await clockRuns(300)
  stop()
  expect(await asking).toEqual([])
})
