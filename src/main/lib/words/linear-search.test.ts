import { expect, test } from 'vitest'
import { prepareSearch } from './linear-search.ts'

test('a long text is found wherever it is, also where it overlaps itself', () => {
  const wanted = `${'ab'.repeat(40)}c`
  const search = prepareSearch(wanted)
  const text = `ab${wanted}${wanted.slice(0, 50)}${wanted}`
  const second = text.lastIndexOf(wanted)
  expect([search(text), search(text, 3), search(text, second), search(text, second + 1)]).toEqual([
    2,
    second,
    second,
    -1,
  ])
})

test('it answers as the engine’s own search does', () => {
  let seed = 7
  const letter = () => 'ab'[(seed = (seed * 48_271) % 2_147_483_647) % 2]!
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: 600 }, letter).join('').repeat(2)
    const at = seed % 500
    const wanted = text.slice(at, at + 60 + (seed % 90))
    expect(prepareSearch(wanted)(text, at % 7)).toBe(text.indexOf(wanted, at % 7))
    expect(prepareSearch(`${wanted}x`)(text)).toBe(-1)
  }
})

test('a megabyte of one sign is searched in few steps', () => {
  const text = '\n'.repeat(900_000)
  expect(prepareSearch(`${'\n'.repeat(20_000)}x`)(text)).toBe(-1)
})
