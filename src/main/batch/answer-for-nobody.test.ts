import { expect, test } from 'vitest'
import type { Approval } from '../../shared/contract/runs/run.ts'
import { answerForNobody } from './answer-for-nobody.ts'

const approval: Approval = {
  id: 'a',
  callId: 'c',
  tool: 'write_file',
  title: 'Write a file',
  detail: '',
  folder: '/f',
  reason: '',
  risk: 'write',
  mayAllowInChat: true,
}
const command = { whyNot: '', offline: false, obeyed: 'nothing' as const, keys: [] }

test('commands run confined and files of the folder are changed', () => {
  expect(answerForNobody('work', approval)).toMatchObject({ decision: 'once' })
  const run = { ...approval, risk: 'execute' as const, mayAllowInChat: false, command }
  expect(answerForNobody('work', run)).toEqual({ decision: 'once', note: '', access: 'confined' })
})

test.each([
  ['a file with keys', { mayAllowInChat: false }],
  ['what lies outside', { beyond: ['outside'] }],
  ['a rule that asks', { beyond: ['rule'], command }],
  ['what programs obey', { command: { ...command, obeyed: 'all' } }],
  ['what git obeys', { command: { ...command, obeyed: 'git' } }],
  ['a command that nothing confines', { command: { ...command, whyNot: 'Nothing confines here.' } }],
  ['a question', { question: { text: 'Which?', choices: [] } }],
  ['a tool of a server', { uses: 'notes: add' }],
  ['a call to the web', { sends: { text: 'x', data: [] } }],
  ['what a text from outside may be behind', { command, texts: [] }],
  ['what asks in every mode', { inEveryMode: true }],
  ['a tool that only reads, outside', { risk: 'read' }],
] as [string, Partial<Approval>][])('%s is denied', (_what, more) => {
  expect(answerForNobody('work', { ...approval, ...more })).toMatchObject({
    decision: 'deny',
    unanswered: true,
  })
})

test('with another setting nothing is allowed that asks', () => {
  for (const approve of ['reads', 'all'] as const)
    expect(answerForNobody(approve, { ...approval, command })).toMatchObject({ decision: 'deny' })
})
