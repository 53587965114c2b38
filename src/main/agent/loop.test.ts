import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Step } from '../../../testing/models/scripted.ts'
import { aTurn, inShort, isLegal, talkOf } from '../../../testing/agent/a-turn.ts'

const read = (path: string): Step => ({ call: { name: 'read_file', arguments: { path } } })
const write = (path: string): Step => ({ call: { name: 'write_file', arguments: { path, content: 'x' } } })

test.for(['text', 'structured'] as const)(
  'a call runs, and the model answers from its result (%s)',
  async strategy => {
    const { reason, messages } = await aTurn({
      strategy,
      replies: [['I will look. ', read('notes')], 'It says hello.'],
    })
    expect([reason, ...inShort(messages)]).toEqual([
      'done',
      'user: Go on.',
      'assistant: I will look. read_file(notes)',
      'result: content of notes',
      'assistant: It says hello.',
    ])
  },
)

test('the text strategy sends back exactly what the model wrote, and results as user messages', async () => {
  const { prompts } = await aTurn({ strategy: 'text', replies: [['Looking.\n', read('a')], 'Done.'] })
  expect(prompts[1]?.messages.slice(1)).toMatchObject([
    { role: 'user', text: 'Go on.' },
    {
      role: 'assistant',
      generated: true,
      text: 'Looking.\n<tool_call>\n{"name": "read_file", "arguments": {"path":"a"}}\n</tool_call>',
    },
    { role: 'user', text: '[Tool Result: read_file] content of a' },
  ])
})

test('reads that need no approval run in parallel, and results keep the order of the calls', async () => {
  const { trace, messages } = await aTurn({ replies: [[read('a'), read('b')], 'Done.'] })
  expect(trace).toEqual(['begin a', 'begin b', 'end b', 'end a'])
  expect(inShort(messages).slice(2, 4)).toEqual(['result: content of a', 'result: content of b'])
})

test('a write waits for the reads before it and asks for approval', async () => {
  const { trace, events } = await aTurn({
    replies: [[read('a'), write('b'), read('c')], 'Done.'],
    answers: ['once'],
  })
  expect(trace).toEqual(['begin a', 'end a', 'write b', 'begin c', 'end c'])
  expect(events.filter(event => event.type.startsWith('approval')).map(event => event.type)).toEqual([
    'approval_request',
    'approval_resolved',
  ])
})

test('a denied call does not run, and the turn continues', async () => {
  const { reason, trace, messages } = await aTurn({
    replies: [[write('b')], 'As you wish.'],
    answers: ['deny'],
  })
  expect([reason, trace]).toEqual(['done', []])
  expect(inShort(messages)[2]).toMatch(/^error: Error: The user denied this call\./)
})

test('a call allowed for the chat is not asked about again', async () => {
  const { trace, events } = await aTurn({ replies: [[write('b')], [write('b')], 'Done.'], answers: ['chat'] })
  expect(trace).toEqual(['write b', 'write b'])
  expect(events.filter(event => event.type === 'approval_request')).toHaveLength(1)
})

test('when nobody can answer, a write is denied and the reply says how to allow it', async () => {
  const { trace, messages } = await aTurn({ approval: 'none', replies: [[write('b')], 'I could not.'] })
  expect(trace).toEqual([])
  expect(inShort(messages)[2]).toMatch(/^error: Error: Denied: /)
})

test('a misspelt tool name is repaired, and an unknown one gets the list of tools', async () => {
  const { messages } = await aTurn({
    replies: [
      [
        { call: { name: 'ReadFile', arguments: { path: 'a' } } },
        { call: { name: 'launch_rocket', arguments: {} } },
      ],
      'Done.',
    ],
  })
  expect(inShort(messages).slice(2, 4)).toEqual([
    'result: content of a',
    'error: Error: There is no tool "launch_rocket". Tools: read_file, write_file.',
  ])
})

test('in a mixed batch valid calls run, and only invalid ones get an error', async () => {
  const { trace, messages } = await aTurn({
    replies: [[{ call: { name: 'read_file', arguments: { path: 7, limit: 'many' } } }, read('a')], 'Done.'],
  })
  expect(trace).toEqual(['begin a', 'end a'])
  expect(messages.slice(2, 4).map(message => message.role === 'tool' && message.ok)).toEqual([false, true])
})

test('arguments that are not JSON are returned to the model with the reason', async () => {
  const { messages } = await aTurn({
    replies: [[{ call: { name: 'read_file', arguments: '{"path": "a' } }], 'Done.'],
  })
  expect(inShort(messages)[2]).toMatch(/^error: Error: The arguments are not valid JSON/)
})

test('three consecutive replies that cannot run end the turn', async () => {
  const bad: Step[] = [{ call: { name: 'launch_rocket', arguments: {} } }]
  const { reason, prompts, messages } = await aTurn({ replies: [bad, bad, bad, 'never asked'] })
  expect([reason, prompts.length, isLegal(messages)]).toEqual(['tool_calls_invalid', 3, true])
})

test('a turn that has used its steps ends with a closing reply without tools', async () => {
  const { reason, prompts, messages } = await aTurn({
    maxIterations: 2,
    replies: [[read('a')], [read('b')], ['Half is done. ', read('c')]],
  })
  expect(reason).toBe('budget_exhausted')
  expect(prompts[2]?.tools).toEqual([])
  expect(inShort(messages).at(-1)).toBe('assistant: Half is done.')
})

test('after four equal calls with equal results the model is asked to answer', async () => {
  const { reason, prompts, events, messages } = await aTurn({
    replies: [[read('a')], [read('a')], [read('a')], [read('a')], 'It says: content of a.'],
  })
  expect([reason, inShort(messages).at(-1)]).toEqual(['done', 'assistant: It says: content of a.'])
  expect(prompts.at(-1)?.tools).toEqual([])
  expect(prompts.at(-1)?.messages.at(-1)?.text).toContain('the result was always the same')
  expect(events).toContainEqual({
    type: 'warning',
    text: expect.stringContaining('asked for the same 4 times in a row'),
  })
})

test.each([
  ['two', ['a', 'b']],
  ['three', ['a', 'b', 'c']],
])('after four rounds of %s calls with equal results the model is asked to answer', async (_count, names) => {
  const rounds = [1, 2, 3, 4].flatMap(() => names.map(name => [read(name)]))
  const { reason, prompts, events } = await aTurn({ replies: [...rounds, 'That is all.'] })
  expect([reason, prompts.length]).toEqual(['done', rounds.length + 1])
  expect(events).toContainEqual({
    type: 'warning',
    text: expect.stringContaining(`asked for the same ${names.length} steps 4 times in a row`),
  })
})

test('three rounds of calls, or rounds in another order, do not count as repetition', async () => {
  const steps = ['a', 'b', 'a', 'b', 'a', 'b', 'c', 'b', 'a'].map(name => [read(name)])
  const { reason, events } = await aTurn({ replies: [...steps, 'Done.'] })
  expect([reason, events.filter(event => event.type === 'warning')]).toEqual(['done', []])
})

test('equal calls with another call in between do not count as repetition', async () => {
  const { reason, events } = await aTurn({
    replies: [[read('a')], [read('a')], [read('a')], [read('b')], [read('a')], 'Done.'],
  })
  expect([reason, events.filter(event => event.type === 'warning')]).toEqual(['done', []])
})

test('a stopped answer keeps its text so far', async () => {
  const { reason, messages } = await aTurn({
    replies: [['One two three ', { hang: true }]],
    onEvent: (event, stop) => event.type === 'text_delta' && event.text.includes('three') && stop(),
  })
  expect([reason, ...inShort(messages)]).toEqual([
    'stopped',
    'user: Go on.',
    'assistant (interrupted): One two three',
  ])
})

test('a stop during a tool gives every call a result', async () => {
  const { reason, trace, messages } = await aTurn({
    replies: [[read('slow'), write('b'), read('c')]],
    onBegin: (_path, stop) => stop(),
  })
  expect([reason, trace, isLegal(messages)]).toEqual(['stopped', ['begin slow'], true])
})

test('a stop during an approval counts as a denial', async () => {
  const { reason, messages, trace } = await aTurn({
    replies: [[write('b')]],
    onEvent: (event, stop) => event.type === 'approval_request' && setImmediate(stop),
  })
  expect([reason, trace, isLegal(messages)]).toEqual(['stopped', [], true])
})

test('a bug in a tool is an error for the model, reported once, and the turn continues', async () => {
  const { reason, messages, reported } = await aTurn({
    replies: [[write('bug')], 'Sorry.'],
    answers: ['once'],
  })
  expect([reason, inShort(messages)[2]]).toEqual([
    'done',
    'error: Error: write_file failed unexpectedly: a bug',
  ])
  expect(reported).toEqual([new TypeError('a bug')])
})

test('an engine that breaks off keeps the text and says what to do', async () => {
  const fail = { code: 'unreachable', text: 'The server went away.', fix: 'Start it again.' } as const
  const { reason, messages, events } = await aTurn({ replies: [['Half an ans', { fail }]] })
  expect([reason, inShort(messages)[1]]).toEqual(['failed', 'assistant (interrupted): Half an ans'])
  expect(events.at(-1)).toEqual({ type: 'error', text: 'The server went away.', fix: 'Start it again.' })
})

test('a server that refuses tools is reported to the caller, and nothing is shown', async () => {
  const fail = { code: 'tools_unsupported', text: 'No tools.', fix: '' } as const
  const { reason, events } = await aTurn({ replies: [[{ fail }]] })
  expect([reason, events]).toEqual(['tools_refused', []])
})

test('a history that outgrows the window loses its oldest turns, and the user is told once', async () => {
  const { prompts, events, reason } = await aTurn({
    contextTokens: 2_048,
    before: talkOf(40),
    replies: [[read('a')], 'Answer.'],
  })
  const sent = prompts[0]?.messages ?? []
  expect(reason).toBe('done')
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.length).toBeLessThan(50)
  expect(sent.at(-1)?.text).toBe('Go on.')
  expect(events.filter(event => event.type === 'warning')).toHaveLength(1)
})

test('a prompt too long for the real window is sent again with less', async () => {
  const fail = { code: 'context_full', text: 'Too long.', fix: 'Start a new chat.' } as const
  const { reason, prompts } = await aTurn({
    contextTokens: 2_048,
    before: talkOf(10),
    replies: [[{ fail }], [{ fail }], 'Now it fits.'],
  })
  const lengths = prompts.map(each => each.messages.length)
  expect([reason, lengths.length]).toEqual(['done', 3])
  expect(lengths).toEqual(lengths.toSorted((a, b) => b - a))
  expect(new Set(lengths).size).toBe(3)
})

test('a last message that alone exceeds the window fails with the engine’s message', async () => {
  const fail = { code: 'context_full', text: 'Too long.', fix: 'Start a new chat.' } as const
  const { reason, prompts, events } = await aTurn({ replies: [[{ fail }]] })
  expect([reason, prompts.length]).toEqual(['failed', 1])
  expect(events.at(-1)).toEqual({ type: 'error', text: 'Too long.', fix: 'Start a new chat.' })
})

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>('Some text. ', read('a'), read('b'), write('c'), write('/etc/passwd')),
  fc.constant<Step>({ call: { name: 'nothing', arguments: {} } }),
  fc.constant<Step>({ call: { name: 'read_file', arguments: 'no json' } }),
  fc.constant<Step>({ fail: { code: 'unreachable', text: 'Gone.', fix: '' } }),
)

test('for any model and any stop, each call has one result and the history is legal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aStep, { maxLength: 4 }), { maxLength: 5 }),
      fc.integer({ min: 0, max: 25 }),
      fc.constantFrom('text' as const, 'structured' as const),
      async (replies, stopAt, strategy) => {
        let seen = 0
        const { messages } = await aTurn({
          strategy,
          replies: [...replies, 'The end.'],
          answers: Array.from({ length: 20 }, () => 'once' as const),
          onEvent: (_event, stop) => ++seen === stopAt && stop(),
        })
        expect(isLegal(messages)).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

test('a call that breaks off does not run', async () => {
  const { trace, messages } = await aTurn({
    replies: [[{ call: { name: 'write_file', arguments: '{"path": "a", "content": "half' } }], 'Done.'],
  })
  expect(trace).toEqual([])
  expect(inShort(messages)[2]).toMatch(/^error: Error: The arguments are not valid JSON/)
})

test('a model that keeps writing invalid JSON is told each time, and then the turn ends', async () => {
  const bad: Step[] = [{ call: { name: 'read_file', arguments: '{"path": a}' } }]
  const { reason, messages, prompts } = await aTurn({ replies: [bad, bad, bad, 'never asked'] })
  expect([reason, prompts.length]).toEqual(['tool_calls_invalid', 3])
  expect(inShort(messages).filter(line => line.includes('not valid JSON'))).toHaveLength(3)
})
