import { expect, test } from 'vitest'
import type { Prompt } from './engine.ts'
import { meterAnswers, type AnsweredPrompt } from './meter-answers.ts'
import { scriptedEngine } from '../../../testing/models/scripted.ts'

const prompt: Prompt = { sessionId: 's1', messages: [{ role: 'user', text: 'Hello' }], tools: [] }
const never = new AbortController().signal

test('each complete answer is told with what it took, and nothing of it is changed', async () => {
  const readings: AnsweredPrompt[] = []
  const engine = scriptedEngine({ replies: ['Hi there.'], modelId: 'm1', name: 'Qwen' })
  const watched = meterAnswers(engine, reading => readings.push(reading))
  const events = await Array.fromAsync(watched.complete(prompt, never))
  expect(events.flatMap(event => (event.type === 'text' ? [event.text] : [])).join('')).toBe('Hi there.')
  expect(events.at(-1)?.type).toBe('done')
  expect(
    readings.map(({ engine: by, prompt: asked, usage }) => [by.modelId, asked, usage.outputTokens > 0]),
  ).toEqual([['m1', prompt, true]])
  expect([watched.modelId, watched.name, watched.count('abc')]).toEqual(['m1', 'Qwen', engine.count('abc')])
})

test('an answer that failed or that nobody waited for is not counted', async () => {
  const readings: AnsweredPrompt[] = []
  const failing = scriptedEngine({
    replies: [[{ fail: { code: 'unreachable', text: 'Down.', fix: '' } }]],
    modelId: 'm1',
    name: 'Qwen',
  })
  const watched = meterAnswers(failing, reading => readings.push(reading))
  await Array.fromAsync(watched.complete(prompt, never))
  const talking = meterAnswers(
    scriptedEngine({ replies: ['A long answer.'], modelId: 'm1', name: 'Qwen' }),
    reading => readings.push(reading),
  )
  for await (const event of talking.complete(prompt, never)) if (event.type === 'text') break
  expect(readings).toEqual([])
})
