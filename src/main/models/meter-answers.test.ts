import { expect, test } from 'vitest'
import type { Prompt } from './interface/engine.ts'
import { meterAnswers, type AnsweredPrompt, costOfAnswer } from './meter-answers.ts'
import { scriptedEngine } from '../../../testing/models/scripted.ts'
import type { Usage } from '../../shared/contract/chats/messages.ts'

const prompt: Prompt = { sessionId: 's1', messages: [{ role: 'user', text: 'Hello' }], tools: [] }
const never = new AbortController().signal
const fail = (error: unknown) => {
  throw error
}

test('each complete answer is metered and passed on unchanged', async () => {
  const readings: AnsweredPrompt[] = []
  const engine = scriptedEngine({ replies: ['Hi there.'], modelId: 'm1', name: 'Qwen' })
  const watched = meterAnswers(engine, reading => readings.push(reading), fail)
  const events = await Array.fromAsync(watched.complete(prompt, never))
  expect(events.flatMap(event => (event.type === 'text' ? [event.text] : [])).join('')).toBe('Hi there.')
  expect(events.at(-1)?.type).toBe('done')
  expect(
    readings.map(({ engine: by, prompt: asked, usage }) => [by.modelId, asked, usage.outputTokens > 0]),
  ).toEqual([['m1', prompt, true]])
  expect([watched.modelId, watched.name, watched.count('abc')]).toEqual(['m1', 'Qwen', engine.count('abc')])
})

test('an answer is booked after it was delivered, also when its reader leaves at the last event', async () => {
  const order: string[] = []
  const engine = scriptedEngine({ replies: ['Hi there.'], modelId: 'm1', name: 'Qwen' })
  const watched = meterAnswers(engine, () => order.push('booked'), fail)
  for await (const event of watched.complete(prompt, never)) {
    if (event.type !== 'done') continue
    order.push('delivered')
    break
  }
  expect(order).toEqual(['delivered', 'booked'])
})

test('trouble with booking is reported and costs nothing of the answer', async () => {
  const reported: unknown[] = []
  const broken = new Error('The disk is full.')
  const engine = scriptedEngine({ replies: ['Hi there.'], modelId: 'm1', name: 'Qwen' })
  const watched = meterAnswers(
    engine,
    () => {
      throw broken
    },
    error => reported.push(error),
  )
  const events = await Array.fromAsync(watched.complete(prompt, never))
  expect([events.at(-1)?.type, reported]).toEqual(['done', [broken]])
})

test('an answer that failed at once is not metered; one that was cut is, by an estimate of what was written', async () => {
  const readings: AnsweredPrompt[] = []
  const failing = scriptedEngine({
    replies: [[{ fail: { code: 'unreachable', text: 'Down.', fix: '' } }]],
    modelId: 'm1',
    name: 'Qwen',
  })
  const watched = meterAnswers(failing, reading => readings.push(reading), fail)
  await Array.fromAsync(watched.complete(prompt, never))
  expect(readings).toEqual([])
  const talking = meterAnswers(
    scriptedEngine({ replies: ['A long answer.'], modelId: 'm1', name: 'Qwen' }),
    reading => readings.push(reading),
    fail,
  )
  for await (const event of talking.complete(prompt, never)) if (event.type === 'text') break
  expect(readings.map(each => each.usage)).toMatchObject([
    { promptTokens: 9, outputTokens: 1, reusedTokens: 0, estimated: true },
  ])
})

const usage: Usage = {
  promptTokens: 1_000,
  reusedTokens: 400,
  evaluatedTokens: 600,
  outputTokens: 100,
  contextTokens: 8_192,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}

test.for([
  ['what the server says goes first', { ...usage, costUsd: 0.5 }, { price_input: 1, price_output: 1 }, 0.5],
  [
    'cached tokens have a price of their own',
    usage,
    { price_input: 3, price_cached: 0.3, price_output: 15 },
    0.00342,
  ],
  ['without one they cost as much as others', usage, { price_input: 3, price_output: 15 }, 0.0045],
  ['half a price list is none', usage, { price_input: 3 }, null],
  ['nothing is known', usage, undefined, null],
] as const)('%s', ([, took, prices, cost]) => {
  const said = costOfAnswer(took, prices)
  if (cost === null) expect(said).toBeNull()
  else expect(said).toBeCloseTo(cost, 10)
})
