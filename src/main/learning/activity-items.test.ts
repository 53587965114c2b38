import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aCandidate, aLearning, aReview, YOU } from '../../../testing/learning/a-learning.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { createActivity, type ActivityFilter } from './activity-items.ts'
import { createProposals } from './proposals/proposals.ts'

let given: ReturnType<typeof aLearning>
beforeEach(() => void (given = aLearning()))
afterEach(() => given[Symbol.asyncDispose]())

const EVER = Number.MAX_SAFE_INTEGER
const proposals = () => createProposals({ ...given, store: given.store.learning })
const activity = () => createActivity({ store: given.store, proposals: proposals() })
const list = (filter: ActivityFilter = 'all', limit = 50, before = EVER) =>
  activity().list({ filter, before, limit })
const by = (reviewId: string | null, messageId = 1, sessionId = 'chat') =>
  ({ actor: reviewId === null ? 'agent' : 'review', reviewId, sessionId, messageId }) as const
function add(text: string, who: ReturnType<typeof by>) {
  const outcome = given.memory.change([{ kind: 'add', target: 'user', project: null, text }], who)
  if (isRefusal(outcome)) throw new Error(outcome.refused)
  return outcome.revisions[0]!
}
function propose(text: string, review = aReview()) {
  given.store.learning.putReview(review)
  const row = proposals().add(
    aCandidate({ kind: 'memory.add', target: 'user', project: null, text }),
    review,
    [],
  )
  if (!row) throw new Error('It lies there already.')
  return row
}
const inShort = (items: ReturnType<typeof list>['items']) =>
  items.map(item =>
    item.type === 'change'
      ? item.change.headline
      : item.type === 'proposal'
        ? `${item.proposal.state}: ${item.proposal.headline}`
        : item.review.outcome,
  )

test('changes of one turn or one review are one card, newest first; a kept proposal has its own card', () => {
  add('A.', by(null, 1))
  add('B.', by(null, 1))
  add('C.', by(null, 2))
  add('D.', by('r1'))
  add('E.', by('r1'))
  proposals().accept([propose('F.').id])
  given.memory.change([{ kind: 'add', target: 'user', project: null, text: 'Mine.' }], YOU)
  expect(inShort(list().items)).toEqual(['kept: F.', 'D. and 1 more', 'C.', 'A. and 1 more'])
})

test('a review without results is one line, and one with results shows its cards', () => {
  given.store.learning.putReview(aReview({ id: 'a', outcome: 'Nothing worth saving.' }))
  given.store.learning.putReview(aReview({ id: 'b', outcome: '1 proposed.' }))
  given.store.learning.putReview(aReview({ id: 'c', state: 'failed', outcome: 'No answer.' }))
  expect(inShort(list().items).toSorted()).toEqual(['No answer.', 'Nothing worth saving.'])
  expect(list('quiet').items).toHaveLength(3)
})

test('each filter lists only its own items', () => {
  const { id } = add('A.', by(null, 1))
  add('B.', by(null, 2))
  proposals().reject([propose('C.').id])
  given.memory.undo([id], YOU)
  expect(inShort(list('memory').items)).toEqual(['rejected: C.', 'B.', 'A.'])
  expect(inShort(list('undone').items)).toEqual(['A.'])
  expect(list('skills').items).toEqual([])
})

test('many changes in few cards do not hide older cards', () => {
  add('Old.', by(null, 1))
  for (let n = 0; n < 120; n++) add(`${n}`, by('r1'))
  expect(inShort(list('all', 1).items)).toEqual(['0 and 119 more'])
  const [first] = list('all', 1).items
  expect(inShort(list('all', 1, first!.at).items)).toEqual(['Old.'])
})

test('whatever the page size, every item is listed once, even with equal times', () => {
  const rows = Array.from({ length: 30 }, (_, n) => propose(`P${n}.`))
  for (let n = 0; n < 30; n++) add(`Entry ${n}.`, by(n % 3 === 0 ? `r${n % 2}` : null, n))
  const at = given.now()
  given.store.learning.putProposals(
    rows.slice(0, 20).map(row => ({ ...row, state: 'rejected' as const, decidedAt: at })),
  )
  proposals().accept(rows.slice(20).map(row => row.id))
  const whole = inShort(list('all', 200).items)
  expect(new Set(whole).size).toBe(whole.length)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), limit => {
      const seen: string[] = []
      let before = EVER
      for (let more = true; more;) {
        const page = list('all', limit, before)
        seen.push(...inShort(page.items))
        more = page.more
        before = page.items.at(-1)?.at ?? 0
      }
      expect(seen).toEqual(whole)
    }),
    { numRuns: 25 },
  )
})

test('weeks start on Monday and count kept, rejected, undone and reviewed items', () => {
  proposals().accept([propose('A.').id])
  proposals().reject([propose('B.', aReview({ id: 'r2', endedAt: given.now() })).id])
  add('C.', by(null, 1))
  const { id } = add('D.', by(null, 2))
  given.memory.undo([id], YOU)
  const [week, ...others] = activity().weeks(52, given.now())
  expect(week).toMatchObject({ kept: 3, rejected: 1, undone: 1, reviews: 1 })
  expect(others).toEqual([])
  const from = new Date(week!.from)
  expect([from.getDay(), from.getHours()]).toEqual([1, 0])
  given.later(14 * 24 * 60 * 60_000)
  add('E.', by(null, 3))
  expect(
    activity()
      .weeks(52, given.now())
      .map(each => each.kept),
  ).toEqual([1, 3])
  expect(
    activity()
      .weeks(1, given.now())
      .map(each => each.kept),
  ).toEqual([1])
})
