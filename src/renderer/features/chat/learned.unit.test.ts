import { expect, test } from 'vitest'
import { aRevision } from '../../test/messages.ts'
import { addTold, learnedText, replaceRead } from './learned.ts'

test('what the notebook says replaces what a run told, and never the other way round', () => {
  const told = addTold([], [aRevision({ id: 2 }), aRevision({ id: 1 })])
  const read = replaceRead(told, [aRevision({ id: 2, undoneBy: 3 }), aRevision({ id: 4 })])
  expect(read.map(({ id, undoneBy }) => [id, undoneBy])).toEqual([
    [1, null],
    [2, 3],
    [4, null],
  ])
  expect(addTold(read, [aRevision({ id: 2 })])).toBe(read)
})

test('a removal is about what was there', () => {
  expect(learnedText({ before: 'Uses npm.', after: 'Uses pnpm.' })).toBe('Uses pnpm.')
  expect(learnedText({ before: 'Uses npm.', after: null })).toBe('Uses npm.')
})
