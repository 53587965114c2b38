import { expect, test } from 'vitest'
import type { AssistantMessage } from '../../../../shared/contract/chats/messages.ts'
import { withModelNote } from './ModelNoteRow.tsx'
import type { TranscriptRow } from './transcript-rows.ts'

const asked = (id: number): TranscriptRow => ({
  key: `m${id}`,
  kind: 'user',
  id,
  text: 'Hi',
  skill: undefined,
  attachments: [],
})
function answer(id: number, model: string): TranscriptRow {
  const message: AssistantMessage = {
    id,
    sessionId: 's',
    at: 0,
    role: 'assistant',
    text: 'Hi',
    reasoning: '',
    calls: [],
    interrupted: false,
    model,
  }
  return { key: `m${id}`, kind: 'answer', message, thoughtMs: null, closing: true }
}
const notes = new Map([['Plain', 'said']])
const keys = (items: readonly TranscriptRow[], isNext: boolean, more = false) =>
  withModelNote(items, { notes, next: isNext ? 'said' : undefined, more })
    .map(item => (item.kind === 'model_note' ? item.text : item.key))
    .join(' ')

test('it is said once, before the first answer of such a model', () => {
  expect(keys([asked(1), answer(2, 'Plain'), asked(3), answer(4, 'Plain')], true)).toBe('m1 said m2 m3 m4')
  expect(keys([asked(1), answer(2, 'Other'), asked(3), answer(4, 'Plain')], false)).toBe('m1 m2 m3 said m4')
})

test('it is said behind the message that such a model is about to answer, and in no other chat', () => {
  expect(keys([asked(1)], true)).toBe('m1 said')
  expect(keys([asked(1), answer(2, 'Other')], false)).toBe('m1 m2')
  expect(keys([], true)).toBe('')
})

test('while the beginning of the chat is not loaded, it is not said at the edge of what is', () => {
  expect(keys([asked(11), answer(12, 'Plain')], true, true)).toBe('m11 m12')
  expect(keys([answer(10, 'Other'), asked(11), answer(12, 'Plain')], true, true)).toBe('m10 m11 said m12')
})
