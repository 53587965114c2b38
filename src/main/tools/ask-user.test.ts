import { expect, test } from 'vitest'
import type { Step } from '../../../testing/models/scripted.ts'
import { aTurn, inShort } from '../../../testing/agent/a-turn.ts'
import { askUserTool } from './ask-user.ts'

const asks = (given: Record<string, unknown>): Step => ({ call: { name: 'ask_user', arguments: given } })
const colour = { question: 'Which colour?', choices: ['red', ' red ', '', 'blue'] }
const asked = (script: Partial<Parameters<typeof aTurn>[0]>, given: Record<string, unknown> = colour) =>
  aTurn({ tools: [askUserTool], replies: [[asks(given)], 'Done.'], ...script })

test('the answer to a question is its result, and the question is shown with its choices', async () => {
  const { messages, events } = await asked({ answers: [{ decision: 'once', note: ' blue ' }] })
  expect(inShort(messages)[2]).toBe('result: The user answers: blue')
  expect(messages[2]).toMatchObject({ record: { decision: 'ran', by: 'user', how: 'answer' } })
  const request = events.find(event => event.type === 'approval_request')
  expect(request?.approval).toMatchObject({
    tool: 'ask_user',
    question: { text: 'Which colour?', choices: ['red', 'blue'] },
    mayAllowInChat: false,
    reason: '',
  })
})

test.each(['full', 'reads', 'ask'] as const)('it asks in mode %s', async approval => {
  const { messages } = await asked({ approval, answers: [{ decision: 'once', note: 'red' }] })
  expect(inShort(messages)[2]).toBe('result: The user answers: red')
})

test('where nobody is, the model hears so at once', async () => {
  const { messages, events } = await asked({ approval: 'none' })
  expect(inShort(messages)[2]).toBe(
    'error: Error: Denied: Nobody is here to answer questions. Decide as well as you can, and say in your answer what you assumed.',
  )
  expect(events.map(({ type }) => type)).not.toContain('approval_request')
})

test.each([
  [{ decision: 'deny', note: '' }, 'The user does not want to answer. Go on without it'],
  [{ decision: 'once', note: '  ' }, 'The user does not want to answer. Go on without it'],
  [{ decision: 'deny', note: 'Ask me later' }, 'The user does not choose, and says: “Ask me later”'],
  [
    { decision: 'deny', note: 'Nobody answered within 10 minutes.', unanswered: true },
    'Nobody answered within 10 minutes. Go on without it',
  ],
] as const)('without an answer (%o) the model goes on', async (answer, said) => {
  const { reason, messages } = await asked({ answers: [{ ...answer }] })
  expect(inShort(messages)[2]).toContain(said)
  expect(reason).toBe('done')
})

test.each([
  [{ question: '  ' }, 'The question is empty.'],
  [{ question: 'a'.repeat(1_001) }, 'at most 1000 characters'],
  [{ question: 'Which?', choices: ['1', '2', '3', '4', '5', '6', '7'] }, 'at most 6 choices'],
  [{ question: 'Which?', choices: ['a'.repeat(201)] }, 'at most 200 characters'],
])('a question that nobody could read is refused', async (given, said) => {
  const { messages, events } = await asked({}, given)
  expect(inShort(messages)[2]).toContain(said)
  expect(events.map(({ type }) => type)).not.toContain('approval_request')
})

test('a model that asks without end is told to decide, and the person is left alone', async () => {
  let n = 0
  const { messages, events, reason } = await asked({
    contextTokens: 100_000,
    maxIterations: 20,
    replies: ({ tools }) => (tools.length === 0 ? 'Done.' : [asks({ question: `Which, ${n++}?` })]),
    answers: Array.from({ length: 20 }, () => ({ decision: 'once' as const, note: 'red' })),
  })
  expect(events.filter(event => event.type === 'approval_request')).toHaveLength(8)
  expect(messages.filter(message => message.role === 'tool')[8]?.text).toContain('asked 8 questions')
  expect(reason).toBe('budget_exhausted')
})
