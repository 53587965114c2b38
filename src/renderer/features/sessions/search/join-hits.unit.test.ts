import { expect, test } from 'vitest'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { joinHits } from './join-hits.ts'

const listed = (id: string, title: string) => ({ id, title, updatedAt: 1 }) as Session
const hit = {
  sessionId: 'c1',
  origin: 'window',
  title: 'Garden',
  titleMarks: [],
  updatedAt: 2,
  passages: [],
} as const

test('titles that contain the typed letters follow the other results, without duplicates', () => {
  const hits = joinHits(
    [{ ...hit, titleMarks: [], passages: [] }],
    [listed('c1', 'Garden'), listed('c2', 'My Gardener'), listed('c3', 'Rent')],
    'gard',
  )
  expect(hits.map(each => [each.sessionId, each.titleMarks])).toEqual([
    ['c1', []],
    ['c2', [[3, 7]]],
  ])
})

test('pattern characters are matched literally', () => {
  expect(joinHits([], [listed('c1', 'What (is) this?')], '(is)')[0]?.titleMarks).toEqual([[5, 9]])
})
