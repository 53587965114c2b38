import { expect, test } from 'vitest'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { aReply, aResult, aSkillRevision, aUserMessage } from '../../../test/messages.ts'
import { learnedText, lineCounts, skillsUsedByTurn } from './changes-by-turn.ts'
import { beginRun, currentTurn, initialChat, type Turn } from '../store/chat-state.ts'

test('the text of a change is the new text, or the removed text for a removal', () => {
  expect(learnedText({ before: 'Uses npm.', after: 'Uses pnpm.' })).toBe('Uses pnpm.')
  expect(learnedText({ before: 'Uses npm.', after: null })).toBe('Uses npm.')
})

const call = (id: string, values: Record<string, unknown>, name = 'skill_view') => ({
  id,
  name,
  arguments: values,
})
const used = (messages: readonly Message[], turns: readonly Turn[] = []) =>
  [...skillsUsedByTurn(messages, turns)].map(([start, skills]) => [start, skills.map(each => each.name)])

const history = [
  aUserMessage({ id: 1 }),
  aReply({ id: 2, calls: [call('a', { name: ' haiku ' }), call('b', { name: 'rhyme' })] }),
  aResult({ id: 3, callId: 'a', name: 'skill_view' }),
  aResult({ id: 4, callId: 'b', name: 'skill_view', ok: false }),
  aUserMessage({ id: 5 }),
  aReply({ id: 6, calls: [call('a', { path: 'x' }, 'read_file'), call('b', { name: 7 })] }),
  aResult({ id: 7, callId: 'a' }),
  aResult({ id: 8, callId: 'b', name: 'skill_view' }),
]

test('the skills used in a stored turn come from its successful calls', () => {
  expect(used(history)).toEqual([[1, ['haiku']]])
})

test('a skill that the user chose for a message is one of its turn, and is named once', () => {
  const skill = { id: 'own/haiku', name: 'haiku', text: 'Write.' }
  const [first, ...rest] = history
  const chosen = [{ ...first!, skill } as Message, ...rest]
  expect(used(chosen)).toEqual([[1, ['haiku']]])
  expect(used(chosen.slice(0, 2))).toEqual([[1, ['haiku']]])
  const turn = { ...currentTurn(beginRun(initialChat, 'run-1'))!, from: 1 }
  const both = ['haiku', 'tidy'].map(name => ({ id: `own/${name}`, name }))
  expect(used(chosen, [{ ...turn, used: both }])).toEqual([[1, ['haiku', 'tidy']]])
})

test('a call without a result yet counts as no use', () => {
  expect(used(history.slice(0, 2))).toEqual([])
})

test('for a turn followed live, only the run’s events say which skills it used', () => {
  const turn = { ...currentTurn(beginRun(initialChat, 'run-1'))!, from: 1 }
  expect(used(history, [turn])).toEqual([])
  expect(used(history, [{ ...turn, used: [{ id: 'own/tidy', name: 'tidy' }] }])).toEqual([[1, ['tidy']]])
  // A run that has not reported which message it answers has no turn yet.
  expect(used(history, [{ ...turn, from: 0 }])).toEqual([[1, ['haiku']]])
})

test('changed lines are counted over all text files', () => {
  expect(lineCounts(aSkillRevision())).toEqual({ added: 2, removed: 1 })
  const file = { path: 'x', before: null, after: 'One\nTwo', binary: false }
  const files = [file, { ...file, before: 'One\nTwo', after: null }, { ...file, binary: true }]
  expect(lineCounts({ files })).toEqual({ added: 2, removed: 2 })
})
