import { setImmediate as macrotask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CompletionEvent, Prompt } from '../../src/main/models/interface/engine.ts'
import { scriptedEngine, type Script, type Step } from './scripted.ts'

const aPrompt = (text = 'Hello'): Prompt => ({
  sessionId: 's',
  messages: [{ role: 'user', text }],
  tools: [],
})
const never = new AbortController().signal

async function collect(events: AsyncIterable<CompletionEvent>): Promise<CompletionEvent[]> {
  const all: CompletionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const play = (reply: string | Step[], script: Partial<Script> = {}) =>
  collect(scriptedEngine({ replies: [reply], ...script }).complete(aPrompt(), never))

const textOf = (events: CompletionEvent[]) =>
  events.map(each => (each.type === 'text' ? each.text : '')).join('')

test.for([
  'One two three, and a considerably longer word.',
  '  indented\n\n\tand ending in a break\n',
  '😀😀😀😀😀😀😀 👩‍👩‍👧',
  '',
  ' ',
])('a text comes in small pieces that join to the same text: %j', async text => {
  const events = await play(text)
  expect(textOf(events)).toBe(text)
  const longest = Math.max(
    0,
    ...events.map(each => (each.type === 'text' ? Array.from(each.text.trim()).length : 0)),
  )
  expect(longest).toBeLessThanOrEqual(6)
})

test('thoughts, progress, calls and figures come in the order of the script', async () => {
  const events = await play(
    [
      { progress: { phase: 'reading', done: 1, total: 2 } },
      { reasoning: 'Hm.' },
      'Yes.',
      { call: { id: 'c1', name: 'list_files', arguments: { path: '.' } } },
      { usage: { promptTokens: 7, reusedTokens: 5, evaluatedTokens: 2 } },
      { stop: 'length' },
    ],
    { strategy: 'structured' },
  )
  expect(events).toEqual([
    { type: 'progress', phase: 'reading', done: 1, total: 2 },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.' },
    { type: 'call', id: 'c1', name: 'list_files', argumentsText: '{"path":"."}' },
    {
      type: 'done',
      stop: 'length',
      usage: {
        promptTokens: 7,
        reusedTokens: 5,
        evaluatedTokens: 2,
        outputTokens: 2,
        contextTokens: 8_192,
        firstTokenMs: expect.any(Number),
        prefillPerSecond: 0,
        tokensPerSecond: expect.any(Number),
      },
    },
  ])
})

test('a model that calls in text writes the call into its text', async () => {
  const call = { name: 'list_files', arguments: { path: 'a b' } }
  expect(textOf(await play(['Look: ', { call }]))).toBe(
    'Look: <tool_call>\n{"name": "list_files", "arguments": {"path":"a b"}}\n</tool_call>',
  )
})

test('a failure ends the reply after what was said', async () => {
  const fail = { code: 'engine_gone', text: 'It crashed.', fix: 'Try again.' } as const
  expect(await play(['Half', { fail }, 'never said'])).toEqual([
    { type: 'text', text: 'Half' },
    { type: 'failed', ...fail },
  ])
})

test('replies follow each other, and one too many is a failure that says so', async () => {
  const engine = scriptedEngine({ replies: ['one', 'two'] })
  const texts: string[] = []
  for (const text of ['a', 'b']) texts.push(textOf(await collect(engine.complete(aPrompt(text), never))))
  const [last] = await collect(engine.complete(aPrompt('c'), never))
  expect(texts).toEqual(['one', 'two'])
  expect(last).toMatchObject({ type: 'failed', text: 'The script has 2 replies and was asked for one more.' })
  expect(engine.prompts.map(each => each.messages[0]?.text)).toEqual(['a', 'b', 'c'])
})

test('a function answers according to the prompt', async () => {
  const engine = scriptedEngine({ replies: prompt => `You said ${prompt.messages.at(-1)?.text}.` })
  expect(textOf(await collect(engine.complete(aPrompt('hi'), never)))).toBe('You said hi.')
})

test.for<[string, string | Step[], Partial<Script>]>([
  ['while it writes without a pause', 'on and on '.repeat(100_000), {}],
  ['between two slow words', 'word '.repeat(20), { tokenDelayMs: 60_000 }],
  ['while it hangs', ['Well', { hang: true }], {}],
  ['in a wait', ['Well', { waitMs: 60_000 }], {}],
])('a stop %s ends the reply at once and without `done`', async ([, reply, script]) => {
  const stop = new AbortController()
  const reading = collect(scriptedEngine({ replies: [reply], ...script }).complete(aPrompt(), stop.signal))
  for (let rounds = 0; rounds < 20; rounds++) await macrotask()
  stop.abort()
  const events = await reading
  expect(events.every(each => each.type === 'text')).toBe(true)
  expect(stop.signal.aborted).toBe(true)
})

test('the profile is what the script says', async () => {
  const engine = scriptedEngine({
    replies: [],
    strategy: 'structured',
    contextTokens: 100,
    modelId: 'x',
    name: 'X',
  })
  expect([engine.modelId, engine.name, await engine.profile()]).toEqual([
    'x',
    'X',
    { strategy: 'structured', contextTokens: 100 },
  ])
})
