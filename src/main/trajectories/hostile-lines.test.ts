import { expect, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { compressTrajectory } from './compress-trajectory.ts'
import { countTokens, type Conversation, type Turn } from './conversation.ts'
import { contradictionIn } from './filter-trajectory.ts'
import { readTrajectory, writeTrajectory } from './read-trajectory.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index % 90}`).join(' ')
const asked = (id: string): Turn => ({
  role: 'assistant',
  text: words(10),
  reasoning: '',
  calls: [{ id, name: 'look', given: { id } }],
})
const answered = (...ids: string[]): Turn => ({
  role: 'tool',
  results: ids.map(callId => ({ callId, name: 'look', text: words(300) })),
})
const user: Turn = { role: 'user', text: words(20) }
const said: Turn = { role: 'assistant', text: words(20), reasoning: '', calls: [] }
const parallel: Turn = { ...said, calls: ['a', 'b', 'c'].map(id => ({ id, name: 'look', given: { id } })) }
const of = (...turns: Turn[]): Conversation => ({ turns, tools: [], rest: {} })

const rounds = (count: number) =>
  Array.from({ length: count }, (_, index) => [asked(`r${index}`), answered(`r${index}`)]).flat()

test.each([
  ['no system turn', of(user, ...rounds(9), said)],
  ['no question at the start', of(...rounds(9), said)],
  [
    'results without their call',
    of(user, answered('lost'), said, user, answered('gone'), ...rounds(8), said),
  ],
  ['a result first', of(answered('lost'), user, ...rounds(9), said)],
  [
    'parallel calls',
    of(user, parallel, answered('a', 'b', 'c'), ...rounds(8), parallel, answered('a', 'b', 'c'), said),
  ],
  ['a call without a result at the end', of(user, ...rounds(9), asked('open'))],
  ['an unanswered question at the end', of(user, ...rounds(9), said, user)],
  ['questions in a row', of(user, user, ...rounds(5), user, user, user, ...rounds(5), said)],
  [
    'system turns in the middle',
    of(user, ...rounds(4), { role: 'system', text: words(9) }, ...rounds(5), said),
  ],
])('with %s, first and last turns, pairs and the budget are kept', (_, before) => {
  for (const budget of [900, 1_500, 2_500]) {
    const after = compressTrajectory(before, { budget })
    if (isRefusal(after)) throw new Error(after.refused)
    expect(countTokens(after)).toBeLessThanOrEqual(budget)
    expect(after.rest['compressed']).toMatchObject({
      tokens: { before: countTokens(before), after: countTokens(after) },
    })
    const head = before.turns.findIndex(({ role }) => role === 'assistant')
    expect(shapes(after.turns.slice(0, head + 1))).toEqual(shapes(before.turns.slice(0, head + 1)))
    expect(shapes(after.turns.slice(-1))).toEqual(shapes(before.turns.slice(-1)))
    // Each result must still follow the reply with its call.
    for (const [at, turn] of after.turns.entries()) {
      if (turn.role !== 'tool') continue
      const ids = turn.results.map(({ callId }) => callId)
      const call = after.turns[at - 1]
      if (call?.role === 'assistant' && call.calls.length > 0)
        expect(ids).toEqual(call.calls.map(({ id }) => id))
      else expect(ids[0]).toMatch(/lost|gone/)
    }
  }
})

/** The turns without the text of results, which may be cut. */
const shapes = (turns: readonly Turn[]) =>
  turns.map(turn => (turn.role === 'tool' ? turn.results.map(({ callId }) => callId) : turn))

test('one turn, and ends that are longer than the budget, are answered with what they have and what was asked for', () => {
  expect(compressTrajectory(of(said), { budget: 10 })).toEqual({
    refused: 'its first and last turns alone have about 54 tokens, more than 10',
  })
  const after = compressTrajectory(of(user, ...rounds(9), said), { budget: 50 })
  expect(isRefusal(after) && after.refused).toMatch(
    /^its first and last turns alone have about \d+ tokens, more than 50$/,
  )
})

test('the last steps stay as long as cutting results is enough, and then fewer of them', () => {
  const long = of(user, ...rounds(12), said)
  const stays = (keepLast: number, budget: number) => {
    const after = compressTrajectory(long, { budget, keepLast })
    if (isRefusal(after)) throw new Error(after.refused)
    return after.turns.filter(({ role }) => role === 'assistant').length
  }
  // The head and the last five units stay, because results are cut instead.
  expect(stays(5, 1_400)).toBeGreaterThanOrEqual(6)
  expect(stays(1, 1_400)).toBeLessThan(stays(5, 1_400))
  expect(stays(12, 700)).toBeLessThan(13)
})

test('a text is never cut inside a character', () => {
  const emoji: Turn = { role: 'tool', results: [{ callId: 'a', name: 'look', text: '🎉'.repeat(3_001) }] }
  const after = compressTrajectory(
    of(user, asked('a'), emoji, { ...user, text: '🎉'.repeat(400) }, said, said),
    {
      budget: 1_500,
      keepLast: 1,
    },
  )
  if (isRefusal(after)) throw new Error(after.refused)
  expect(writeTrajectory(after, 'sharegpt').isWellFormed()).toBe(true)
  expect(writeTrajectory(of(user, { ...said, text: 'half \ud83d' }), 'openai')).not.toMatch(/\\ud83d/)
})

/** The converted line, as JSON. */
function changed(line: object, form?: 'openai' | 'sharegpt' | 'hermes'): unknown {
  const read = readTrajectory(JSON.stringify(line), { withMemory: false })
  if (isRefusal(read)) throw new Error(read.refused)
  return JSON.parse(writeTrajectory(read.conversation, form ?? read.form))
}

const flat = {
  name: 'terminal',
  description: 'Run.',
  parameters: { type: 'object', properties: {} },
  required: null,
}
/** A line in the shape that Hermes Agent documents; the words about the tools are shortened. */
const hermes = {
  conversations: [
    {
      from: 'system',
      value: `You are a function calling AI model. Signatures are within <tools> </tools> XML tags:\n<tools>\n${JSON.stringify([flat])}\n</tools>\nExample:\n<tool_call>\n{'name': <function-name>}\n</tool_call>`,
    },
    { from: 'human', value: 'Which version?' },
    {
      from: 'gpt',
      value:
        '<think>\nRun it.\n</think>\n<tool_call>\n{"name":"terminal","arguments":{"command":"v"}}\n</tool_call>',
    },
    {
      from: 'tool',
      value:
        '<tool_response>\n{"tool_call_id":"c1","name":"terminal","content":{"output":"3.11"}}\n</tool_response>',
    },
    { from: 'gpt', value: '<think>\n</think>\n3.11.' },
  ],
  timestamp: '2026-03-30T14:22:31.456789',
  model: 'some/model',
  completed: true,
}

test('lines of Hermes Agent stay as they are in their form, and their tools are known in others', () => {
  expect(changed(hermes)).toEqual(hermes)
  const openai = changed(hermes, 'openai')
  expect(openai).toMatchObject({
    messages: [
      { role: 'user', content: 'Which version?' },
      {
        role: 'assistant',
        reasoning_content: 'Run it.',
        tool_calls: [{ id: 'c1', function: { name: 'terminal', arguments: '{"command":"v"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', name: 'terminal', content: '{"output":"3.11"}' },
      { role: 'assistant', content: '3.11.' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'terminal', description: 'Run.', parameters: { type: 'object' } },
      },
    ],
  })
  const again = changed(openai as object, 'hermes') as typeof hermes
  expect(again.conversations[0]!.value).toContain(`<tools>\n${JSON.stringify([flat])}\n</tools>`)
  expect(again.conversations.slice(1)).toEqual(hermes.conversations.slice(1))
})

test.each([
  [
    'without thoughts, with fields of its own, and its system part and tools as fields',
    {
      id: 7,
      system: 'Be kind.',
      conversations: [
        { from: 'human', value: 'q' },
        { from: 'gpt', value: 'a', weight: 0 },
      ],
      tools: '[{"name":"x"}]',
      source: 'others',
    },
  ],
  [
    'of messages with weights, and tools as a text',
    {
      messages: [
        { role: 'user', content: 'q', name: 'Ada' },
        { role: 'assistant', content: 'a', weight: 0 },
        { role: 'tool', tool_call_id: 'x', name: 'y', content: 'z', is_error: true },
      ],
      tools: '[{"type":"function","function":{"name":"x"}}]',
    },
  ],
])('a line of others %s stays as it is', (_, line) => {
  expect(changed(line)).toEqual(line)
})

test('the key of a row is no secret, and keys of other kinds are', () => {
  const line = (key: string) => ({ key, conversations: [{ from: 'gpt', value: 'a' }] })
  expect(changed(line('053be9b1b97edef42fe3-1'))).toMatchObject({ key: '053be9b1b97edef42fe3-1' })
  expect(changed(line('053be9b1b97edef42fe3aa'))).toMatchObject({ key: '[redacted]' })
})

test('what is nested too deeply is refused, and pictures are counted', () => {
  const deep = `{"conversations":[{"from":"gpt","value":"a"}],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(readTrajectory(deep, { withMemory: false })).toEqual({ refused: 'it is nested too deeply' })
  const parts = [
    { type: 'text', text: 'See' },
    { type: 'image_url', image_url: { url: 'data:x' } },
  ]
  const line = JSON.stringify({
    messages: [
      { role: 'user', content: parts },
      { role: 'assistant', content: 'a' },
    ],
  })
  expect(readTrajectory(line, { withMemory: false })).toMatchObject({
    conversation: { pictures: 1, turns: [{ text: 'See\n[Picture]' }, {}] },
  })
})

test('options that contradict each other are found', () => {
  expect(contradictionIn({ minTokens: 5, maxTokens: 3 })).toEqual(['minTokens', 'maxTokens'])
  expect(contradictionIn({ minTokens: 3, maxTokens: 3, minReward: 1 })).toBeUndefined()
})
