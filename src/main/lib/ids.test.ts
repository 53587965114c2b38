import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('an id is short, lower-case and starts with its kind', () => {
  expect(newId('chat')).toMatch(/^chat_[0-9a-hjkmnp-tv-z]{17}$/)
})

test('ids made in one millisecond differ and sort by creation', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('run', () => 1_800_000_000_000))
  expect(new Set(ids).size).toBe(2_000)
  expect(ids.toSorted()).toEqual(ids)
})

test('after the clock is set back, new ids still sort after old ones', () => {
  const before = newId('run', () => 1_900_000_000_000)
  expect(newId('run', () => 1_700_000_000_000) > before).toBe(true)
})
