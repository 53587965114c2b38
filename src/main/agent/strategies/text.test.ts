import { expect, test } from 'vitest'
import { aCall, done, historyOf, readAll, TOOL, usage } from './test-messages.ts'
import { textStrategy } from './text.ts'

const [a, b] = [aCall('call_a', 'a'), aCall('call_b', 'b')]
const render = (...said: Parameters<typeof historyOf>) =>
  textStrategy.render('SYSTEM', historyOf(...said)).slice(1)
const written = (path: string) =>
  `<tool_call>\n{"name":"read_file","arguments":{"path":${JSON.stringify(path)}}}\n</tool_call>`

test('tools are part of the prompt, one line each, and none travel as data', () => {
  const parameters = {
    type: 'object',
    properties: { path: { type: 'string' }, mode: { enum: ['all', 'head'] }, extra: {} },
    required: ['path'],
  }
  expect(textStrategy.attach([TOOL])).toEqual([])
  expect(textStrategy.present([])).toBe('')
  expect(textStrategy.present([{ ...TOOL, parameters }])).toMatch(
    /\n- read_file\(path: string, mode\?: "all"\|"head", extra\?: any\): Read a text file\.$/,
  )
})

test('what the model wrote goes back to the byte', () => {
  const raw = `  Looking.\n\n<tool_call>{'name': 'read_file', 'arguments': {'path': 'a'}}</tool_call>`
  expect(render({ user: 'Look.' }, { says: 'Looking.', calls: [a], raw }, { result: 'A', of: a })).toEqual([
    { role: 'user', text: 'Look.' },
    { role: 'assistant', text: raw, generated: true },
    { role: 'user', text: '[Tool Result: read_file] A' },
  ])
})

test('a reply from elsewhere is written in the notation of the prompt', () => {
  const wire = render(
    { user: 'Look.' },
    { says: 'Looking.', calls: [a, b] },
    { result: 'A', of: a },
    { result: 'B', of: b },
  )
  expect(wire.slice(1)).toEqual([
    { role: 'assistant', text: `Looking.\n${written('a')}\n${written('b')}` },
    { role: 'user', text: '[Tool Result: read_file] A\n\n[Tool Result: read_file] B' },
  ])
})

test('a question after a stopped turn joins its results', () => {
  const wire = render({ user: 'Look.' }, { says: '', calls: [a] }, { result: 'A', of: a }, { user: 'Well?' })
  expect(wire.at(-1)).toEqual({ role: 'user', text: '[Tool Result: read_file] A\n\nWell?' })
})

test('thoughts go back within their turn and not after it', () => {
  const raw = `<think>Hm.</think>${written('a')}`
  const turn = [
    { user: 'Look.' },
    { says: '', calls: [a], raw, reasoning: 'Hm.' },
    { result: 'A', of: a },
  ] as const
  expect(render(...turn)[1]).toEqual({ role: 'assistant', text: raw, generated: true })
  expect(render(...turn, { says: 'A.' }, { user: 'Next.' })[1]).toEqual({
    role: 'assistant',
    text: written('a'),
  })
})

test('a reply is read as text, calls and what was written to the byte', async () => {
  const text = `Looking.\n${written('a')}`
  const pieces = text.split('').map(piece => ({ type: 'text', text: piece }) as const)
  expect(await readAll(textStrategy, ...pieces, done)).toEqual([
    { type: 'text', text: expect.stringMatching(/^Looking\.\s*$/) },
    {
      type: 'call',
      call: { id: expect.stringMatching(/^call_/), name: 'read_file', arguments: { path: 'a' } },
    },
    { type: 'done', stop: 'end', usage, raw: text },
  ])
})

test('thoughts that a server keeps apart are no part of what was written', async () => {
  const events = await readAll(
    textStrategy,
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.' },
    done,
  )
  expect(events.at(-1)).toMatchObject({ raw: 'Yes.' })
  expect(events[0]).toEqual({ type: 'reasoning', text: 'Hm.' })
})

test('a call that was cut off does not run', async () => {
  const cut = { type: 'done', stop: 'length', usage } as const
  const events = await readAll(
    textStrategy,
    { type: 'text', text: '<tool_call>\n{"name":"read_file","argum' },
    cut,
  )
  expect(events.filter(event => event.type === 'call')).toEqual([])
})

test('the call of a tool that does not exist goes back with the reason', async () => {
  const text = '<tool_call>{"name":"launch","arguments":{}}</tool_call>'
  const events = await readAll(textStrategy, { type: 'text', text }, done)
  expect(events[0]).toMatchObject({ type: 'bad_call', call: { name: 'launch' }, reason: expect.any(String) })
})
