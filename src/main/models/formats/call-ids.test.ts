import { expect, test } from 'vitest'
import { countCalls } from './call-ids.ts'
import { formats, type FormatId } from './format-table.ts'
import { writeCalls } from './write-calls.ts'

const calls = (...names: string[]) => names.map((name, at) => ({ id: `${name}-${at}`, name }))

/** The ids of the results of two messages with calls, the first as the model wrote it. */
function idsOf(format: FormatId, raw: string | undefined, names = ['look', 'find_place']) {
  const counted = countCalls(formats[format])
  const [first, second] = [calls(...names), [{ id: 'later', name: 'look' }]]
  const before = [counted.add(first, raw), counted.add(second)]
  expect(before).toEqual([0, names.length])
  return [...first, ...second].map(({ id }) => counted.idOf(id)?.idInText)
}

test.each(['hermes', 'llama3', 'qwen-coder', 'gemma4', 'deepseek'] as const)(
  'calls of %s have no ids',
  format => {
    expect(idsOf(format, undefined)).toEqual([undefined, undefined, undefined])
  },
)

test.each([
  ['kimi-k2', ['functions.look:0', 'functions.find_place:1', 'functions.look:2']],
  ['mistral', ['call00000', 'call00001', 'call00002']],
  ['mistral-ids', ['call00000', 'call00001', 'call00002']],
  ['solar', ['call00000', 'call00001', 'call00002']],
] as const)('the results of %s carry the ids of the calls that are written', (format, right) => {
  expect(idsOf(format, undefined)).toEqual(right)
  const written = writeCalls(
    formats[format],
    ['look', 'find_place'].map(name => ({ name, arguments: { city: 'Bern' } })),
  ).text
  for (const id of right.slice(0, 2)) expect(written).toContain(id)
  // The reader finds the same ids in the written text.
  expect(idsOf(format, written)).toEqual(right)
})

test.each<[FormatId, string, string[]]>([
  [
    'kimi-k2',
    'Let me see.<|tool_calls_section_begin|><|tool_call_begin|>functions.look:4<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|><|tool_call_begin|>functions.find_place:5<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    ['functions.look:4', 'functions.find_place:5'],
  ],
  [
    'mistral',
    '[TOOL_CALLS] [{"name": "look", "arguments": {"id": "no"}, "id": "Ab3dE6gH9"}, {"name": "find_place", "arguments": {}, "id": "012345678"}]',
    ['Ab3dE6gH9', '012345678'],
  ],
  [
    'mistral-ids',
    '[TOOL_CALLS]look[CALL_ID]Ab3dE6gH9[ARGS]{"a": "b"}[TOOL_CALLS]find_place[CALL_ID]012345678[ARGS]{}',
    ['Ab3dE6gH9', '012345678'],
  ],
  [
    'solar',
    '<|tool_calls|><|tool_call:begin|>Ab3dE6gH9<|tool_call:name|>look<|tool_call:args|>{}<|tool_call:end|><|tool_call:begin|>012345678<|tool_call:name|>find_place<|tool_call:args|>{}<|tool_call:end|>',
    ['Ab3dE6gH9', '012345678'],
  ],
])('the results of %s carry the ids that the model wrote', (format, raw, right) => {
  expect(idsOf(format, raw).slice(0, 2)).toEqual(right)
})

test.each([
  [
    'the ids are of another kind',
    '[TOOL_CALLS][{"name": "look", "id": "a"}, {"name": "find_place", "id": "<|end|>.."}]',
  ],
  ['there are none', '[TOOL_CALLS][{"name": "look"}, {"name": "find_place"}]'],
  ['the list is cut off', '[TOOL_CALLS][{"name": "look", "id": "Ab3dE6gH9"}, {"na'],
  ['one call could not be read', '[TOOL_CALLS][{"name": "look", "id": "Ab3dE6gH9"}]'],
  ['it is no list', '[TOOL_CALLS]{"id": "Ab3dE6gH9"}'],
  ['the list holds something else', '[TOOL_CALLS][null, 7]'],
  ['there is no mark', 'Two calls.'],
])('calls get ids by their places where %s', (_, raw) => {
  expect(idsOf('mistral', raw)).toEqual(['call00000', 'call00001', 'call00002'])
})

test.each(['kimi-k2', 'mistral', 'mistral-ids', 'solar'] as const)(
  'a long text in a call of %s is read at once',
  format => {
    const call = { name: 'look', arguments: { text: 'a'.repeat(400_000) } }
    const { text } = writeCalls(formats[format], [call])
    expect(idsOf(format, text, ['look'])[0]).toBeDefined()
  },
)
