import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looseName, nearestNames, nearNames, similarity } from './similarity.ts'

const NAMES = ['clean-csv', 'weekly-review', 'write-commit-message', 'explain-log', 'debug-command', 'pdf']

test('misspelt and partial names are found as similar', () => {
  expect(nearNames('claen-csv', NAMES, 5)).toEqual(['clean-csv'])
  expect(nearNames('commit message', NAMES, 5)).toEqual(['write-commit-message'])
  expect(nearNames('weekly_reviews', NAMES, 5)).toEqual(['weekly-review'])
  expect(nearNames('log', NAMES, 5)).toEqual(['explain-log'])
  expect(nearNames('pfd', NAMES, 5)).toEqual(['pdf'])
  expect(nearNames('haiku', NAMES, 5)).toEqual([])
})

test('the best matches come first, up to the given number', () => {
  const names = ['review-b', 'review-a', 'review', 'reviews']
  expect(nearNames('review', names, 3)).toEqual(['review', 'review-a', 'review-b'])
})

test('case and spaces are ignored', () => {
  for (const name of ['Clean CSV', 'clean_csv', 'CLEAN-csv', ' clean.csv '])
    expect(looseName(name)).toBe('clean-csv')
})

test('no name takes long or throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.array(fc.string(), { maxLength: 3 }),
      (name, names) => {
        expect(nearNames(name, [...names, name], 10)).toContain(name)
      },
    ),
  )
})

test('for texts swapped neighbours count as two changes, for names as one', () => {
  expect(similarity('pfd', 'pdf')).toBeCloseTo(1 / 3)
  expect([similarity('', ''), similarity('', 'a'), similarity('read_file', 'read_flie')]).toEqual([
    1,
    0,
    7 / 9,
  ])
  expect(nearestNames('Reed.md', ['write.md', 'READ.md', 'read.md', 'x'], 0.5)).toEqual([
    'READ.md',
    'read.md',
    'write.md',
  ])
})
