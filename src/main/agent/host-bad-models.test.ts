import { expect, test } from 'vitest'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import type { ScriptedGgufOptions } from '../../../testing/gguf/scripted.ts'
import { aHome, aHomeForModels, aHost, endOf, turn } from '../../../testing/host/a-host.ts'
import { aDaily, aScheduledHost, EIGHT, lastOf } from '../../../testing/schedules/a-scheduled-host.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

// Real model files that load and write what no model should, through the whole host and the engine process.

const warningsOf = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'warning' || event.type === 'error' ? [event.text] : []))
const usagesOf = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
/** Seven hundred different words. Digits would make them count as equal. */
const words = Array.from({ length: 700 }, (_, n) =>
  n
    .toString(8)
    .split('')
    .map(digit => 'bdfgklmp'.charAt(Number(digit)) + 'aeiouyäö'.charAt(n % 8))
    .join(''),
)
  .map((word, n) => `${word}n${'rst'.charAt(n % 3)}`)
  .join(' ')
const bytes = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
/** Escape sequences that clear a screen and set a title, NUL, bell and backspace, and a C1 byte. */
const escapes = [0x1b, 0x5b, 0x32, 0x4a, 0x9b, 0x07, 0x00, 0x08]

const broken: [what: string, model: ScriptedGgufOptions, says: RegExp][] = [
  ['bytes that are no text', { reply: bytes(128, 256), goesOnAt: 0 }, /signs that are no text/],
  ['escape sequences and controls', { reply: escapes, goesOnAt: 0 }, /signs that are no text/],
  ['hidden characters', { reply: '\u200b \u200d \u202e \u2066 \ufeff \u2060', goesOnAt: 0 }, /no text/],
  ['blanks without end', { reply: [0x20, 0x09, 0x0d, 0x0b], goesOnAt: 0 }, /goes in circles/],
  ['one word for ever', { reply: 'spam', goesOnAt: 0 }, /goes in circles/],
  ['the mark of a turn for ever', { reply: '<|im_start|>', goesOnAt: 0 }, /goes in circles/],
  ['an answer that nobody sees', { reply: '\u200b\u2060\ufeff' }, /answered with nothing/],
]

test.for(broken)('%s: the turn ends soon, says why, and is not read again', async ([what, model, says]) => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const { id: modelId } = await host.client['model.add']({ path: scriptedModel({ ...model, name: what }) })
  const { id } = await host.client['session.create']({ modelId })
  for (const text of ['Hello', 'And now?']) {
    const events = await turn(host, id, text)
    expect([endOf(events), warningsOf(events)]).toEqual(['done', [expect.stringMatching(says)]])
    expect(events.filter(event => event.type === 'retry')).toHaveLength(1)
    // Two attempts, each counted, and none of the earlier answer in the prompt.
    expect(usagesOf(events)).toHaveLength(2)
    for (const { promptTokens, outputTokens, contextTokens } of usagesOf(events)) {
      expect(promptTokens).toBeLessThan(700)
      expect(promptTokens + outputTokens).toBeLessThanOrEqual(contextTokens)
    }
    expect(events.some(event => event.type === 'compacting')).toBe(false)
  }
  const { messages } = await host.client['session.messages']({ id })
  for (const message of messages) {
    expect(message.role === 'user' || (message.role === 'assistant' && message.void)).toBe(true)
    expect(message.text.length).toBeLessThan(1_500)
    expect(message.text).not.toMatch(/(?!\s)\p{Cc}/u)
  }
  expect(host.mistakes()).toEqual([])
})

test('other words for ever are cut, and the chat goes on; thoughts that never close are said to be thoughts', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const add = async (model: ScriptedGgufOptions) =>
    (await host.client['model.add']({ path: scriptedModel(model) })).id
  const talks = await add({ reply: words, goesOnAt: 0, name: 'talks for ever' })
  const { id } = await host.client['session.create']({ modelId: talks })
  for (const text of ['Hello', 'And now?'])
    expect(warningsOf(await turn(host, id, text))).toEqual([expect.stringMatching(/cut here/)])
  const thinks = await add({ reply: `<think> ${words}`, goesOnAt: 8, name: 'thinks for ever' })
  const { id: other } = await host.client['session.create']({ modelId: thinks })
  for (const text of ['Hello', 'And now?']) {
    const events = await turn(host, other, text)
    expect(events.filter(event => event.type === 'message')).toHaveLength(1)
    expect(warningsOf(events).at(-1)).toMatch(/had only thought/)
  }
  expect(host.mistakes()).toEqual([])
})

test('the same call for ever, and one that never closes, end in a few steps and words', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const ask = async (model: ScriptedGgufOptions) => {
    const { id: modelId } = await host.client['model.add']({ path: scriptedModel(model) })
    const { id } = await host.client['session.create']({ modelId, approval: 'full' })
    return turn(host, id, 'Hello')
  }
  const begins = '<tool_call>\n{"name": "look", "arguments": {"what": "'
  const calls = await ask({ reply: `${begins}sky"}}\n</tool_call>`, name: 'calls for ever' })
  expect(calls.filter(event => event.type === 'tool_call')).toHaveLength(4)
  expect([endOf(calls), ...warningsOf(calls)]).toEqual([
    'done',
    expect.stringMatching(/asked for the same 4 times in a row/),
    expect.stringMatching(/answered with nothing/),
  ])
  const open = { reply: `${begins}${words}`, goesOnAt: 60, contextTokens: 2_048, name: 'never closes' }
  const never = await ask(open)
  expect(never.some(event => event.type === 'tool_call')).toBe(false)
  expect([endOf(never), warningsOf(never).at(-1)]).toEqual([
    'tool_calls_invalid',
    expect.stringMatching(/3 replies in a row whose tool calls could not run/),
  ])
  expect(host.mistakes()).toEqual([])
})

test.for([
  ['cannot be read', '\ufffd\u0000\u001b\ufffd'.repeat(200)],
  ['goes in circles', 'I am sorry, but I cannot do that for you today. '.repeat(300)],
  ['is empty', ' \n '],
])('a schedule whose answer %s has failed, and says so', async ([, text]) => {
  using home = aHome()
  const host = await aScheduledHost(home.path)
  const { server, id } = await aDaily(host)
  server.reply({ text: text! })
  await host.at(EIGHT, id)
  expect(await lastOf(host, id)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('The model gave no answer'),
  })
  await host.close()
  await server.close()
})
