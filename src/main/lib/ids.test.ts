import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('an id is short, lower-case and says what it names', () => {
  expect(newId('chat')).toMatch(/^chat_[0-9a-hjkmnp-tv-z]{17}$/)
})

test('ids made in one millisecond differ and sort in the order of their making', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('run', () => 1_800_000_000_000))
  expect(new Set(ids).size).toBe(2_000)
  expect(ids.toSorted()).toEqual(ids)
})

test('a clock that is set back does not put new ids before old ones', () => {
  const before = newId('run', () => 1_900_000_000_000)
  expect(newId('run', () => 1_700_000_000_000) > before).toBe(true)
})
