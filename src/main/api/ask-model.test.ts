import { expect, test } from 'vitest'
import type { CompletionEvent, LlmEngine, ModelProfile, Prompt } from '../models/interface/engine.ts'
import { ApiProblem, buildHistory, type ApiRequest } from './api-request.ts'
import { askModel } from './ask-model.ts'
import { createStopFilter } from './stop-filter.ts'
import { createLine } from './wait-in-line.ts'

const usage = {
  promptTokens: 1,
  reusedTokens: 0,
  evaluatedTokens: 1,
  outputTokens: 1,
  contextTokens: 2,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}
const textModel: ModelProfile = { strategy: 'text', contextTokens: 4_096, format: 'hermes', toolRole: true }

/** A model that writes a text, and the prompts that it got. */
function writes(text: string, profile = textModel) {
  const prompts: Prompt[] = []
  const engine: LlmEngine = {
    modelId: 'file:a',
    name: 'A',
    profile: () => Promise.resolve(profile),
    count: given => given.length,
    async *complete(prompt): AsyncGenerator<CompletionEvent> {
      prompts.push(prompt)
      if (prompt.begin !== undefined) yield { type: 'text', text: prompt.begin }
      yield { type: 'text', text }
      yield { type: 'done', stop: 'end', usage }
    },
  }
  return { engine, prompts }
}

function asked(given: Partial<ApiRequest> = {}): ApiRequest {
  const history = buildHistory()
  history.addUser('Rain?')
  return {
    model: 'A',
    system: 'Be kind.',
    history: history.messages,
    pictures: history.pictures,
    tools: [],
    choice: 'auto',
    isSingle: false,
    stops: [],
    sampling: {},
    stream: false,
    unused: [],
    ...given,
  }
}

const answerOf = (engine: LlmEngine, request: ApiRequest) =>
  Array.fromAsync(askModel(engine, request, new AbortController().signal))

const weather = {
  name: 'weather',
  description: 'Tell the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

test('a model that takes tools as text is told of them, held to them, and gives way to the person', async () => {
  const { engine, prompts } = writes(
    '<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>',
  )
  const events = await answerOf(engine, asked({ tools: [weather] }))
  expect(events).toMatchObject([
    { type: 'call', call: { name: 'weather', arguments: { city: 'Oslo' } } },
    { type: 'end', stop: 'calls' },
  ])
  const [{ messages, constraints, priority, tools } = {}] = prompts as Partial<Prompt>[]
  expect([priority, tools, constraints?.length]).toEqual(['background', [], 1])
  expect(messages?.[0]?.text).toMatch(/^Be kind\.[\s\S]*weather/)
})

test('a call that has to be made is begun for it', async () => {
  const { engine, prompts } = writes('{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>')
  const events = await answerOf(engine, asked({ tools: [weather], choice: 'required' }))
  expect(prompts[0]?.begin).toContain('<tool_call>')
  expect(events.map(({ type }) => type)).toEqual(['call', 'end'])
})

test('JSON of a schema is held to it by a grammar', async () => {
  const { engine, prompts } = writes('{"city":"Oslo"}')
  const events = await answerOf(engine, asked({ schema: weather.parameters }))
  expect(prompts[0]?.constraints?.[0]?.gbnf).toContain('city')
  expect(events.filter(({ type }) => type !== 'waiting')).toMatchObject([
    { type: 'text', text: '{"city":"Oslo"}' },
    { type: 'end' },
  ])
})

test.each(['{"city":"Os]lo"}\n```', '```json\n{"city":"Os]lo"}\n```\nThere.', ' {"city":"Os]lo"} is it.'])(
  'what a small model writes around its JSON is left out: %j',
  async text => {
    const { engine, prompts } = writes(text)
    const events = await answerOf(engine, asked({ schema: weather.parameters }))
    expect(events.find(({ type }) => type === 'text')).toEqual({ type: 'text', text: '{"city":"Os]lo"}' })
    expect(prompts.length).toBe(1)
  },
)

test('pictures for a model that takes none are refused', async () => {
  const pictures = new Map([['a', { mime: 'image/png' as const, base64: '' }]])
  const [event] = await answerOf(writes('Hi', { ...textModel, sees: false }).engine, asked({ pictures }))
  expect(event).toMatchObject({ type: 'failed', problem: { status: 400, code: 'no_pictures' } })
})

test('a stop text is found wherever pieces end', () => {
  const whole = 'one STOP two'
  for (let at = 0; at <= whole.length; at += 1) {
    const filter = createStopFilter(['STOP', 'STO-'])
    const first = filter.push(whole.slice(0, at))
    const second = first.hit === undefined ? filter.push(whole.slice(at)) : undefined
    expect([first.text + (second?.text ?? ''), first.hit ?? second?.hit]).toEqual(['one ', 'STOP'])
  }
  const free = createStopFilter(['STOP'])
  expect(free.push('a STO').text + free.push('RE').text + free.end()).toBe('a STORE')
})

test('a line is first come, first served, and whoever leaves it makes room', async () => {
  const line = createLine(1)
  const signal = new AbortController().signal
  const leave = await line.enter(signal)
  const gone = new AbortController()
  const [second, third] = [line.enter(gone.signal), line.enter(signal)]
  expect(line.counts).toEqual({ asked: 1, waiting: 2 })
  gone.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  leave()
  leave()
  const last = await third
  expect(line.counts).toEqual({ asked: 1, waiting: 0 })
  const waiting = Array.from({ length: 32 }, () => line.enter(signal))
  await expect(line.enter(signal)).rejects.toThrow(ApiProblem)
  last()
  for (const each of waiting) (await each)()
  expect(line.counts).toEqual({ asked: 0, waiting: 0 })
})
