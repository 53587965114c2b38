import { expect, test } from 'vitest'
import type { ActivityItem, LearnedChange, Proposal } from '../../../shared/contract/learned/learning.ts'
import { groupItems, isMeant, isUndoable, joinItems, stateOf, waitingIn, weekEnd } from './activity-state.ts'

const proposal = (id: string, at = 0, given: Partial<Proposal> = {}): ActivityItem => ({
  type: 'proposal',
  at,
  proposal: { id, kind: 'memory', state: 'kept', reviewId: 'r1', sessionId: 'c1', ...given } as Proposal,
})
const change = (...undoneBy: (number | null)[]) =>
  ({ id: 'x', memory: undoneBy.map(undoneBy => ({ undoneBy })), skills: [] }) as unknown as LearnedChange
const at = (day: number, hour = 12) => new Date(2026, 2, day, hour).getTime()

test('past items are grouped under today, this week (since Monday) and older', () => {
  // 5 March 2026 is a Thursday.
  const items = [at(5, 8), at(5, 0), at(4), at(2, 0), at(1, 23)].map(at => proposal(`${at}`, at))
  const days = groupItems(items, at(5)).map(([group, items]) => [
    group,
    items.map(({ at }) => new Date(at).getDate()),
  ])
  expect(days).toEqual([
    ['today', [5, 5]],
    ['week', [4, 2]],
    ['older', [1]],
  ])
})

test('on a Monday, yesterday’s items are older, not this week', () => {
  const groups = groupItems([proposal('a', at(2, 9)), proposal('b', at(1, 9))], at(2)).map(([group]) => group)
  expect(groups).toEqual(['today', 'older'])
})

test('a week begins on its Monday and ends where the next begins, also across a clock change', () => {
  for (let day = 1; day <= 60; day++) {
    const noon = new Date(2026, 2, day, 12)
    const monday = new Date(2026, 2, day - ((noon.getDay() + 6) % 7)).getTime()
    const items = [proposal('first', monday), proposal('before', monday - 1)]
    const groups = Object.fromEntries(groupItems(items, noon.getTime()))
    expect(groups['older']?.map(each => each.at)).toEqual([monday - 1])
    const next = new Date(monday)
    next.setDate(next.getDate() + 7)
    expect(weekEnd(monday)).toBe(next.getTime())
  }
})

test('overlapping pages are joined without duplicates', () => {
  const [a, b, c] = [proposal('a'), proposal('b'), proposal('c')]
  expect(joinItems([a, b], [b, c])).toEqual([a, b, c])
})

test('a filter for a kind also applies to waiting items; “undone” and “quiet” show none of them', () => {
  const waiting = [
    { id: 'a', kind: 'memory' },
    { id: 'b', kind: 'skill' },
  ] as Proposal[]
  const ids = (filter: Parameters<typeof waitingIn>[0]) => waitingIn(filter, waiting).map(({ id }) => id)
  expect([ids('all'), ids('memory'), ids('skills'), ids('undone'), ids('quiet')]).toEqual([
    ['a', 'b'],
    ['a'],
    ['b'],
    [],
    [],
  ])
})

test('a change counts as undone when all its parts are, and only what is still in effect can be undone', () => {
  expect([change(null, null), change(null, 3), change(3, 4)].map(stateOf)).toEqual([
    'saved',
    'part',
    'undone',
  ])
  expect(isUndoable({ type: 'change', at: 0, change: change(null, 3) })).toBe(true)
  expect(isUndoable({ type: 'change', at: 0, change: change(3) })).toBe(false)
  expect(isUndoable(proposal('a'))).toBe(true)
  expect(isUndoable(proposal('a', 0, { state: 'rejected' }))).toBe(false)
})

test('items are matched by review, by chat or by time', () => {
  const item = proposal('a', 5)
  expect(isMeant(item, { by: 'review', id: 'r1' })).toBe(true)
  expect(isMeant(item, { by: 'review', id: 'r2' })).toBe(false)
  expect(isMeant(item, { by: 'chat', id: 'c1' })).toBe(true)
  expect(isMeant(item, { by: 'chat', id: 'c2' })).toBe(false)
  expect(isMeant(item, { by: 'since', at: 5 })).toBe(true)
  expect(isMeant(item, { by: 'since', at: 6 })).toBe(false)
})
