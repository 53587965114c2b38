import { expect, test } from 'vitest'
import type { CompletionEvent } from '../../models/interface/engine.ts'
import { structuredStrategy } from './structured.ts'
import { aCall, done, historyOf, readAll, TOOL, usage } from '../../../../testing/agent/messages.ts'

const [a, b] = [aCall('call_01abcdefghijklmno1', 'a'), aCall('call_01abcdefghijklmno2', 'b')]
const render = (...said: Parameters<typeof historyOf>) =>
  structuredStrategy.render('SYSTEM', historyOf(...said)).slice(1)
const call = (argumentsText: string, name = 'read_file'): CompletionEvent => ({
  type: 'call',
  id: 'call_0',
  name,
  argumentsText,
})

test('tools are sent as data and add nothing to the prompt', () => {
  expect([structuredStrategy.present([TOOL]), structuredStrategy.attach([TOOL])]).toEqual(['', [TOOL]])
})

test('calls and results are sent as data, paired by ids that every server accepts', () => {
  expect(
    render(
      { user: 'Look.' },
      { says: 'Looking.', calls: [a, b], reasoning: 'Hm.' },
      { result: 'A', of: a },
      { result: 'B', of: b },
      { says: 'A and B.' },
    ),
  ).toEqual([
    { role: 'user', text: 'Look.' },
    {
      role: 'assistant',
      text: 'Looking.',
      calls: [
        { ...a, id: 'hijklmno1' },
        { ...b, id: 'hijklmno2' },
      ],
    },
    { role: 'tool', text: 'A', callId: 'hijklmno1' },
    { role: 'tool', text: 'B', callId: 'hijklmno2' },
    { role: 'assistant', text: 'A and B.' },
  ])
})

test('an interrupted reply keeps its text, and one without text is left out', () => {
  expect(
    render(
      { user: 'One.' },
      { says: 'Half an ans', interrupted: true },
      { user: 'Two.' },
      { says: '', reasoning: 'Only thoughts.', interrupted: true },
      { user: 'Three.' },
    ),
  ).toEqual([
    { role: 'user', text: 'One.' },
    { role: 'assistant', text: 'Half an ans' },
    { role: 'user', text: 'Two.\n\nThree.' },
  ])
})

test('a turn stopped after its tools gets a reply before the next question', () => {
  const wire = render(
    { user: 'Look.' },
    { says: '', calls: [a] },
    { result: 'A', of: a },
    { user: 'And now?' },
  )
  expect(wire.slice(2)).toEqual([
    { role: 'tool', text: 'A', callId: 'hijklmno1' },
    { role: 'assistant', text: 'I was stopped here.' },
    { role: 'user', text: 'And now?' },
  ])
})

test('a reply’s calls get our own ids, because servers restart theirs in each reply', async () => {
  const events = await readAll(
    structuredStrategy,
    { type: 'text', text: 'Looking.' },
    call('{"path":"a"}'),
    done,
  )
  const again = await readAll(structuredStrategy, call('{"path":"a"}'), done)
  expect(events).toEqual([
    { type: 'text', text: 'Looking.' },
    {
      type: 'call',
      call: { id: expect.stringMatching(/^call_/), name: 'read_file', arguments: { path: 'a' } },
    },
    { type: 'done', stop: 'end', usage },
  ])
  expect(again[0]).not.toEqual(events[1])
})

test.for([
  ['', {}],
  ['null', {}],
  ['{}', {}],
  ['"{\\"path\\":\\"a\\"}"', { path: 'a' }],
] as const)('the arguments %j are read as %j', async ([text, given]) => {
  const [event] = await readAll(structuredStrategy, call(text), done)
  expect(event).toMatchObject({ type: 'call', call: { arguments: given } })
})

test.for([
  ['[1]', 'The arguments must be one JSON object.'],
  ['7', 'The arguments must be one JSON object.'],
  ['{"path": "a', expect.stringMatching(/^The arguments are not valid JSON: /)],
  ['"just words"', expect.stringMatching(/^The arguments are not valid JSON: /)],
] as const)('the arguments %j are returned with the reason', async ([text, reason]) => {
  const [event] = await readAll(structuredStrategy, call(text), done)
  expect(event).toMatchObject({ type: 'bad_call', call: { name: 'read_file', arguments: {} }, reason })
})

test('calls and thoughts that a server passes on as text are recognised', async () => {
  const text =
    '<think>Hm.</think>Looking.\n<tool_call>\n{"name":"read_file","arguments":{"path":"a"}}\n</tool_call>'
  const events = await readAll(structuredStrategy, { type: 'text', text }, done)
  expect(events.map(event => event.type)).toEqual(['reasoning', 'text', 'call', 'done'])
})

test('a stream that fails keeps the text before it', async () => {
  const failed = { type: 'failed', code: 'engine_gone', text: 'Gone.', fix: '' } as const
  expect(await readAll(structuredStrategy, { type: 'text', text: 'Half <tool_ca' }, failed)).toEqual([
    { type: 'text', text: expect.stringContaining('Half') },
    failed,
  ])
})

test('no arguments are an empty object, and a list is none', async () => {
  const [empty] = await readAll(structuredStrategy, call(''), done)
  const [list] = await readAll(structuredStrategy, call('["a"]'), done)
  expect(empty).toMatchObject({ type: 'call', call: { arguments: {} } })
  expect(list).toMatchObject({ type: 'bad_call', reason: 'The arguments must be one JSON object.' })
})
