import { expect, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { compressTrajectory } from './compress-trajectory.ts'
import { countTokens, type Conversation, type Turn } from './conversation.ts'
import { reasonToDrop } from './filter-trajectory.ts'
import { numberedLines } from './numbered-lines.ts'
import { readTrajectory, writeTrajectory } from './read-trajectory.ts'

/** A generator of numbers below `most`, the same in each run. */
function seeded(seed: number) {
  let state = seed
  return (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % most
  }
}

/** A trajectory of several questions, with calls, results and sometimes tools. */
function generated(seed: number): Conversation {
  const next = seeded(seed * 7_919 + 1)
  const words = (most: number) => Array.from({ length: 1 + next(most) }, () => `word${next(90)}`).join(' ')
  const turns: Turn[] = next(3) > 0 ? [{ role: 'system', text: words(40) }] : []
  let calls = 0
  for (let question = 0; question <= next(5); question++) {
    turns.push({ role: 'user', text: words(30) })
    for (let step = next(6); step > 0; step--) {
      const made = Array.from({ length: 1 + next(2) }, () => ({
        id: `c${++calls}`,
        name: ['read_file', 'terminal'][next(2)]!,
        given: { path: words(3) },
      }))
      const results = made.map(({ id, name }) => ({ callId: id, name, text: words(200) }))
      turns.push({ role: 'assistant', text: next(2) > 0 ? words(9) : '', reasoning: words(20), calls: made })
      turns.push({ role: 'tool', results })
    }
    turns.push({ role: 'assistant', text: words(30), reasoning: '', calls: [] })
  }
  const tool = { type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }
  return {
    turns,
    tools: turns[0]?.role === 'system' ? [tool] : [],
    rest: { id: `t${seed}`, completed: true },
  }
}

const many = Array.from({ length: 500 }, (_, seed) => generated(seed))

test('compressed, 500 trajectories keep their first and last turns, their calls with results, and the budget', () => {
  let compressed = 0
  for (const [at, before] of many.entries()) {
    const budget = 300 + (at % 7) * 200
    const after = compressTrajectory(before, { budget })
    if (isRefusal(after)) {
      // The parts that always stay exceed the budget.
      expect(Number(/about ([\d,]+) tokens/.exec(after.refused)![1]!.replaceAll(',', ''))).toBeGreaterThan(
        budget,
      )
      continue
    }
    if (after !== before) compressed++
    expect(countTokens(after)).toBeLessThanOrEqual(budget)
    const first = before.turns.findIndex(({ role }) => role === 'assistant')
    expect(after.turns.slice(0, first + 1)).toEqual(before.turns.slice(0, first + 1))
    expect(after.turns.at(-1)).toEqual(before.turns.at(-1))
    for (const [index, turn] of after.turns.entries())
      if (turn.role === 'tool') {
        const asking = after.turns[index - 1]
        expect(asking?.role === 'assistant' && asking.calls.map(({ id }) => id)).toEqual(
          turn.results.map(({ callId }) => callId),
        )
      }
  }
  expect(compressed).toBeGreaterThan(150)
})

test('through all forms and back, 100 trajectories are the same', () => {
  for (const before of many.slice(0, 100)) {
    let line = writeTrajectory(before, 'sharegpt')
    for (const form of ['openai', 'hermes', 'openai', 'sharegpt'] as const) {
      const read = readTrajectory(line, { withMemory: false })
      if (isRefusal(read)) throw new Error(read.refused)
      expect(read.conversation).toEqual(before)
      line = writeTrajectory(read.conversation, form)
    }
    expect(line).toBe(writeTrajectory(before, 'sharegpt'))
  }
})

test('lines of others lose their secrets, and the memory of the user unless it is wanted', () => {
  const key = `ghp_${'a1B2c3'.repeat(6)}`
  const line = JSON.stringify({
    messages: [
      {
        role: 'system',
        content: 'Be kind.\n\n## About the user (3 % full)\n- Is called Ada.\n  And tall.\n\n## Now\nMonday.',
      },
      { role: 'user', content: `My key is ${key}.` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: `{"k":"${key}"}` } }],
      },
    ],
    note: key,
  })
  const read = readTrajectory(line, { withMemory: false })
  expect(JSON.stringify(read)).not.toContain(key)
  expect(JSON.stringify(read)).not.toContain('Ada')
  expect(JSON.stringify(read)).toContain('Be kind.\\n\\n## Now')
  expect(JSON.stringify(readTrajectory(line, { withMemory: true }))).toContain('Ada')
})

test.each([
  ['{', 'it is not JSON'],
  ['[]', 'it is not a JSON object'],
  ['{}', 'it has neither “conversations” nor “messages”'],
  ['{"messages":[{"role":"user","content":"x"}]}', 'it has no answer of a model'],
  ['{"conversations":[{"from":"gpt"}]}', 'turn 1 has no text in “value”'],
])('the line %s is refused: %s', (line, refused) => {
  expect(readTrajectory(line, { withMemory: false })).toEqual({ refused })
})

test('a filter names the first thing that does not hold', () => {
  const one = { ...many[3]!, rest: { completed: true, reward: 0.5, model: 'm' } }
  expect(reasonToDrop(one, { outcome: 'success', minReward: 0.5, model: ['m'] })).toBeUndefined()
  expect(reasonToDrop(one, { outcome: 'failure' })).toBe('outcome')
  expect(reasonToDrop(one, { minReward: 0.6 })).toBe('minReward')
  expect(reasonToDrop({ ...one, rest: {} }, { maxReward: 1 })).toBe('maxReward')
  expect(reasonToDrop(one, { tool: ['nothing'] })).toBe('tool')
  expect(reasonToDrop(one, { maxReplies: 0 })).toBe('maxReplies')
})

test('lines are split over chunks, counted, and skipped when they are too long', async () => {
  async function* chunks() {
    for (const each of ['on', 'e\n\ntoo lo', 'ng\nlas', 't']) yield Buffer.from(each)
  }
  expect(await Array.fromAsync(numberedLines(chunks(), 6))).toEqual([
    { number: 1, text: 'one' },
    { number: 3, refused: 'it has more than 6 bytes' },
    { number: 4, text: 'last' },
  ])
})

test('a mark of UTF-8 and line ends of Windows are no part of a line, and other bytes are refused', async () => {
  async function* chunks() {
    yield Buffer.from('\ufeff{}\r\n')
    yield Buffer.from([0xff, 10])
    yield Buffer.from('{}')
  }
  const lines = await Array.fromAsync(numberedLines(chunks()))
  expect(lines.map(line => ('text' in line ? line.text.trim() : line.refused))).toEqual([
    '{}',
    'it is not UTF-8 text',
    '{}',
  ])
})
