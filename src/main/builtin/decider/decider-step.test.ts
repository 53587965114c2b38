import { expect, test } from 'vitest'
import { aTurn, inShort } from '../../../../testing/agent/a-turn.ts'
import type { Decision } from './decide-message.ts'
import { deciderStep, type DeciderOfChat } from './decider-step.ts'

const written = (name: string, given: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`

/** A turn whose decider returns this, and whose model gives these replies. */
function decidedTurn(
  decide: DeciderOfChat['decide'],
  replies: readonly string[],
  answers: readonly 'deny'[] = [],
) {
  const chat = { setting: () => 'on' as const, decide, history: () => [], switchOff: () => {} }
  return aTurn({ strategy: 'text', steps: [deciderStep(chat)], replies, answers: [...answers] })
}
const says = (decision: Decision | undefined) => async () => decision

test('without arguments of its own, the model writes those of a call that is begun for it', async () => {
  const { messages, prompts } = await decidedTurn(says({ tool: 'read_file' }), [
    written('read_file', { path: 'b' }),
    'It says b.',
  ])
  expect(prompts[0]).toMatchObject({ begin: '<tool_call>\n', constraints: [expect.anything()] })
  expect(inShort(messages).slice(1)).toEqual([
    'assistant: read_file(b)',
    'result: content of b',
    'assistant: It says b.',
  ])
  expect(messages[2]).toMatchObject({ record: { begunBy: 'decider' } })
})

test.for([
  ['words', 'I do not know.'],
  ['a call of another tool', written('write_file', { path: 'a', content: '' })],
  ['a call that does not fit', written('read_file', {})],
])('a begun call that becomes %s is none, and the turn goes on', async ([, reply]) => {
  const { messages, trace } = await decidedTurn(says({ tool: 'read_file' }), [reply!, 'Hello.'])
  expect([inShort(messages).slice(1), trace]).toEqual([['assistant: Hello.'], []])
})

test('a decider that is wrong about what a tool takes leaves the arguments to the model', async () => {
  const { messages } = await decidedTurn(says({ tool: 'read_file', arguments: { colour: 'a' } }), [
    written('read_file', { path: 'b' }),
    'It says b.',
  ])
  expect(inShort(messages)[1]).toBe('assistant: read_file(b)')
})

test('a decider that fails begins nothing, and the turn goes on', async () => {
  const gone = new Error('its process died')
  const { messages, reported } = await decidedTurn(() => Promise.reject(gone), ['Hello.'])
  expect([inShort(messages).slice(1), reported]).toEqual([['assistant: Hello.'], [gone]])
})

test('a model that imitates what was refused does not have the person asked again', async () => {
  const given = { path: 'a', content: 'b' }
  const again = written('write_file', given)
  const { messages, events } = await decidedTurn(
    says({ tool: 'write_file', arguments: given }),
    [again, again, 'Then not.'],
    ['deny'],
  )
  expect(events.filter(({ type }) => type === 'approval_request')).toHaveLength(1)
  expect(messages.flatMap(each => (each.role === 'tool' ? [each.record] : []))).toMatchObject([
    { begunBy: 'decider', decision: 'denied', by: 'user' },
    { decision: 'denied', by: 'policy' },
    { decision: 'denied', by: 'policy' },
  ])
})
