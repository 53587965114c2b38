import { expect, test } from 'vitest'
import { anEntry } from '../../../testing/memory/an-entry.ts'
import { planChange, type ChangedBy, type MemoryStep } from './plan-change.ts'

const you: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }
const agent: ChangedBy = { ...you, actor: 'agent', sessionId: 's1' }
const one = anEntry({ id: 'note_1', text: 'One.' })
const two = anEntry({ id: 'note_2', text: 'Two.' })
const gone = anEntry({ id: 'note_3', text: 'Gone.', archivedAt: 2 })

/** The result of a step in a notebook of two entries. */
const plan = (step: MemoryStep, by = you) =>
  planChange([one, two], [step], by, {
    limits: { user: 120, memory: 200 },
    now: 3,
    archived: id => (id === gone.id ? gone : undefined),
  })

test.for<[string, MemoryStep]>([
  ['an edit to the same text', { kind: 'edit', id: one.id, text: ' One. ' }],
  ['a lock that is there', { kind: 'lock', id: one.id, locked: false }],
  ['a move to where it is', { kind: 'move', id: one.id, target: 'user', project: null }],
  ['a second removal', { kind: 'remove', id: gone.id }],
  ['the restoration of what is there', { kind: 'restore', id: one.id, text: 'One.' }],
])('%s changes nothing, and counts as done', ([, step]) => {
  expect(plan(step)).toEqual({ entries: [one, two], changed: [], revisions: [], same: 1 })
})

test.for<[string, MemoryStep, object]>([
  [
    'to another entry’s text',
    { kind: 'edit', id: one.id, text: 'Two.' },
    { refused: '“Two.” is there already.' },
  ],
  ['to nothing', { kind: 'edit', id: one.id, text: ' ' }, { refused: '“ ” was not saved: it is empty.' }],
  [
    'to a text with hidden characters',
    { kind: 'edit', id: one.id, text: `One${String.fromCodePoint(0x202e)}.` },
    { more: 'The first invisible character is U+202E. Leave it out.' },
  ],
  ['of what was archived meanwhile', { kind: 'edit', id: gone.id, text: 'Back.' }, { conflict: true }],
  [
    'that restores what never was',
    { kind: 'restore', id: 'note_unknown', text: 'Three.' },
    { refused: 'This entry no longer exists.' },
  ],
])('a change %s is refused with the reason', ([, step, refusal]) => {
  expect(plan(step, agent)).toMatchObject(refusal)
})
