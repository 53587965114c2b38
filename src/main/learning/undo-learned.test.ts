import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemoryRevision } from '../../shared/contract/learned/memory.ts'
import type { MemoryStep } from '../memory/plan-change.ts'
import { aCandidate, aLearning, aReview, skillText, YOU } from '../../../testing/learning/a-learning.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { createActivity } from './activity-items.ts'
import { createProposals } from './proposals/proposals.ts'
import { undoLearned, type UndoWhat } from './undo-learned.ts'

let given: ReturnType<typeof aLearning>
beforeEach(() => void (given = aLearning()))
afterEach(() => given[Symbol.asyncDispose]())

const proposals = () => createProposals({ ...given, store: given.store.learning })
const undo = (what: UndoWhat) =>
  undoLearned(
    {
      ...given,
      proposals: proposals(),
      activity: createActivity({ store: given.store, proposals: proposals() }),
    },
    what,
  )
const by = (reviewId: string | null, sessionId = 'chat', messageId = 1) =>
  ({ actor: reviewId === null ? 'agent' : 'review', reviewId, sessionId, messageId }) as const
function change(step: MemoryStep, who: ReturnType<typeof by> | typeof YOU): MemoryRevision {
  const outcome = given.memory.change([step], who)
  if (isRefusal(outcome)) throw new Error(outcome.refused)
  return outcome.revisions[0]!
}
const add = (text: string, who: Parameters<typeof change>[1]) =>
  change({ kind: 'add', target: 'user', project: null, text }, who)
function kept(text: string, other?: string) {
  const review = aReview({ sessionId: 'chat' })
  given.store.learning.putReview(review)
  const row = proposals().add(
    aCandidate({ kind: 'memory.add', target: 'user', project: null, text }),
    review,
    [],
  )
  if (!row) throw new Error('It lies there already.')
  proposals().accept([row.id], other)
  return row
}

test('undoing a review removes its entries, and keeps those of other reviews and of the user', () => {
  add('A.', by('r1'))
  add('B.', by('r1'))
  add('C.', by('r2'))
  add('D.', YOU)
  expect(undo({ by: 'review', id: 'r1' })).toMatchObject({
    left: [],
    memoryRevisions: [expect.any(Number), expect.any(Number)],
  })
  expect(given.entries()).toEqual(['C.', 'D.'])
  expect(undo({ by: 'review', id: 'r1' })).toEqual({ left: [], memoryRevisions: [], skillRevisions: [] })
})

test('undoing a chat removes entries of its agent and of its reviews', () => {
  add('A.', by(null, 'chat', 1))
  add('B.', by('r1', 'chat'))
  add('C.', by(null, 'other', 1))
  undo({ by: 'chat', id: 'chat' })
  expect(given.entries()).toEqual(['C.'])
})

test('undoing since a time includes that time', () => {
  add('A.', by('r1'))
  const { at } = add('B.', by('r2'))
  add('C.', by(null))
  undo({ by: 'since', at })
  expect(given.entries()).toEqual(['A.'])
})

test('a single card can be undone: the changes of one turn, or a kept proposal', () => {
  add('A.', by(null, 'chat', 1))
  add('B.', by(null, 'chat', 2))
  const row = kept('C.')
  undo({ by: 'items', ids: ['chat:1', row.id] })
  expect(given.entries()).toEqual(['B.'])
  expect(given.store.learning.proposal(row.id)!.state).toBe('undone')
})

test('an entry kept in the user’s words is undone too', () => {
  const row = kept('A.', 'B.')
  expect(undo({ by: 'review', id: row.reviewId }).left).toEqual([])
  expect(given.entries()).toEqual([])
})

test('entries that the user changed since stay, and are reported', () => {
  const { entryId: id } = add('Uses npm.', by('r1'))
  add('Lives in Bern.', by('r1'))
  change({ kind: 'edit', id, text: 'Uses pnpm.' }, YOU)
  const row = kept('Has a dog.')
  const dog = given.memory.view().entries.find(entry => entry.text === 'Has a dog.')!
  change({ kind: 'edit', id: dog.id, text: 'Has two dogs.' }, YOU)
  const { left } = undo({ by: 'since', at: 0 })
  expect(left).toEqual([expect.stringContaining('Has a dog.'), expect.stringContaining('Uses npm.')])
  expect(given.entries().toSorted()).toEqual(['Has two dogs.', 'Uses pnpm.'])
  expect(given.store.learning.proposal(row.id)!.state).toBe('kept')
})

test('several changes of one entry are undone together, back to its first text', () => {
  const { entryId: id } = add('Lives in Basel.', YOU)
  change({ kind: 'edit', id, text: 'Lives in Biel.' }, by('r1'))
  change({ kind: 'edit', id, text: 'Lives in Bern.' }, by('r1'))
  expect(undo({ by: 'review', id: 'r1' }).left).toEqual([])
  expect(given.entries()).toEqual(['Lives in Basel.'])
})

test('a removed entry is restored', () => {
  const { entryId: id } = add('Lives in Basel.', by(null))
  change({ kind: 'remove', id }, by('r1'))
  undo({ by: 'review', id: 'r1' })
  expect(given.entries()).toEqual(['Lives in Basel.'])
})

test('skills are undone with memory, and one that cannot be undone does not block the rest', () => {
  const author = { ...by('r1'), note: '' }
  given.editor.create({ name: 'haiku', category: '', text: skillText('haiku') }, author)
  given.editor.create({ name: 'ballad', category: '', text: skillText('ballad') }, author)
  given.editor.save(
    { id: 'own/ballad', path: 'SKILL.md', text: skillText('ballad', ['Mine.']) },
    { ...YOU, note: '' },
  )
  add('A.', by('r1'))
  expect(undo({ by: 'review', id: 'r1' }).left).toHaveLength(1)
  expect([given.library.get('own/haiku'), given.library.get('own/ballad')?.skill.name]).toEqual([
    undefined,
    'ballad',
  ])
  expect(given.entries()).toEqual([])
})
