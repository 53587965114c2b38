import { expect, test } from 'vitest'
import { createToolCallReader } from './call-reader.ts'
import { gist, tools } from '../../../../../testing/formats/read-message.ts'

/** The events after each chunk, and after the end. */
function steps(...chunks: string[]): string[] {
  const reader = createToolCallReader({ tools })
  const told = [...chunks.map(chunk => reader.push(chunk)), reader.end()]
  return told.map(events => events.map(event => ('text' in event ? event.text : `(${event.type})`)).join(''))
}

test('text is emitted as it arrives, except white space that may precede a call', () => {
  expect(steps('Hel', 'lo ', 'there.\n', '')).toEqual(['Hel', 'lo', ' there.', '', '\n'])
})

test('text that may become a mark is held back until decided', () => {
  expect(steps('a <', 'tool', 'box> b <too')).toEqual(['a', '', ' <toolbox> b', ' <too'])
  expect(steps('a <q', '> c')).toEqual(['a <q', '> c', ''])
})

test('a JSON answer is held back up to its first key', () => {
  expect(steps('{', '"sum', 'mary":', ' "long', ' text"}')).toEqual([
    '',
    '',
    '{"summary":',
    ' "long',
    ' text"}',
    '',
  ])
})

test('a call in the form of a name is held back up to the name', () => {
  expect(steps('{"name": "Ad', 'a", ', '"age": 36}')).toEqual(['', '{"name": "Ada",', ' "age": 36}', ''])
})

test('a marked call is emitted at its last bracket, not at the closing mark', () => {
  expect(steps('<tool_call>{"name": "clock", "arguments": {', '}', '}', '</tool', '_call> Done')).toEqual([
    '',
    '',
    '(call)',
    '',
    'Done',
    '',
  ])
})

test('an unmarked call after text is emitted at the end', () => {
  expect(steps('Look:\n{"name": "clock", "arguments": {}}', '\n')).toEqual(['Look:', '', '(call)'])
  expect(steps('Look:\n{"name": "clock", "arguments": {}}', '\nSee?')).toEqual([
    'Look:',
    '\n{"name": "clock", "arguments": {}}\nSee?',
    '',
  ])
})

test('thoughts are emitted as they arrive, until one looks like a call', () => {
  expect(steps('<think>Let', ' me <tool_call>{"name": "clock"}', ' see', '</think>')).toEqual([
    'Let',
    ' me',
    '',
    ' <tool_call>{"name": "clock"} see',
    '',
  ])
})

test('nothing is emitted after the end', () => {
  const reader = createToolCallReader({ tools })
  reader.push('Hello')
  expect([reader.end(), reader.end(), reader.push('more')]).toEqual([[], [], []])
})

test('the end of the prompt is never emitted', () => {
  const reader = createToolCallReader({ tools, promptTail: '<|start|>assistant' })
  expect([...reader.push('No header.'), ...reader.end()]).toEqual([{ type: 'text', text: 'No header.' }])
})

test('hostile text is read in linear time', () => {
  const hostile = {
    'nested marks': '<tool_call>',
    'nested brackets': '[{',
    'texts never closed': '<tool_call>{"name": "open_file", "arguments": {"path": “</tool_call>',
    'fences around them': '```json\n{"name": "open_file", "arguments": {"path": “\n',
    'parts of marks': '<|tool_call_begi',
    'parameters never closed': '<function=open_file><parameter=path></parameter> x',
    'broken thoughts': '<think><tool_call>{"name": “',
    'code never closed': '`<tool_call> ``',
    'headers without end': '<|channel|>analysis ',
    'comments never closed': '<tool_call>{/*</tool_call>',
  }
  const kilobytes = 100
  const rows = Object.entries(hostile).map(([what, piece]) => {
    const text = piece.repeat(Math.ceil((kilobytes * 1000) / piece.length))
    const reader = createToolCallReader({ tools })
    const start = performance.now()
    for (let at = 0; at < text.length; at += 7) reader.push(text.slice(at, at + 7))
    reader.end()
    return `${Math.round(performance.now() - start)} ms  ${what}`
  })
  console.log(`${kilobytes} kB of hostile text, in chunks of 7:\n${rows.join('\n')}`)
  expect(rows).toHaveLength(Object.keys(hostile).length)
})

test('a thought that ends without a beginning takes back the text and the calls before it', () => {
  const reader = createToolCallReader({ tools })
  const call = '<tool_call>{"name": "clock", "arguments": {}}</tool_call>'
  expect(reader.push(`Hm. ${call}`).map(({ type }) => type)).toEqual(['text', 'call'])
  expect(reader.push(' No.</think>Hello')).toEqual([
    { type: 'text', text: ' No.' },
    { type: 'thought', text: `Hm. ${call} No.` },
    { type: 'text', text: 'Hello' },
  ])
  // The end of a thought that was already reported as one retracts nothing.
  const other = createToolCallReader({ tools })
  expect(
    [...other.push('<think>Hm.</think>Hello</think>!'), ...other.end()].map(({ type }) => type),
  ).not.toContain('thought')
})

test.each([
  [' to=functions.clock<|channel|>commentary<|message|>{}', ['clock', {}]],
  ['clock\n{}', ['clock', {}]],
])('%j is a call, although its beginning stands in the prompt', (text, call) => {
  expect(gist(text)).toEqual([call])
})

test.each(['clock\n{} and more', 'to=functions.clock is how it is written', 'clock\n', 'to=him, with love'])(
  '%j is text',
  text => {
    expect(gist(text)).toEqual([text])
  },
)
