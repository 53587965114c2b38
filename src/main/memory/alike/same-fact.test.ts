import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sameWording, sayTheSame } from './same-fact.ts'

// The “blind” half was written before the words were revised. At first it gave 63 of its 64 equal pairs, and
// none of its 118 others.
const Row = z.strictObject({
  half: z.enum(['seen', 'blind']),
  same: z.boolean(),
  a: z.string(),
  b: z.string(),
})
const file = fileURLToPath(new URL('../../../../testing/memory/same-facts.jsonl', import.meta.url))
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map(line => Row.parse(JSON.parse(line)))

test('pairs that say the same are found, and of those that do not none', () => {
  expect(rows.filter(({ same }) => same).length).toBeGreaterThanOrEqual(120)
  expect(rows.filter(({ same }) => !same).length).toBeGreaterThanOrEqual(200)
  expect(rows.filter(({ same, a, b }) => sayTheSame(a, b) !== same)).toEqual([])
})

test('which of two comes first makes no difference, and each says the same as itself', () => {
  for (const { a, b } of rows) {
    expect({ a, b, same: sayTheSame(b, a) }).toEqual({ a, b, same: sayTheSame(a, b) })
    expect(sayTheSame(a, a)).toBe(true)
  }
})

test('any two facts differ that differ in one word of their own', () => {
  const word = fc.constantFrom('tea', 'Anna', '5', '-5', 'not', 'C++', 'never', 'blau', 'chien', 'Rom')
  fc.assert(
    fc.property(word, word, fc.array(word, { maxLength: 4 }), (one, other, rest) => {
      fc.pre(one !== other)
      const text = (first: string) => `Keeps ${[first, ...rest].join(' then ')} zzz`
      expect(sayTheSame(text(one), text(other))).toBe(false)
    }),
  )
})

test('the form of the person and that of others are one wording, a synonym is another', () => {
  expect(sameWording('I live in Graz', 'User lives in Graz.')).toBe(true)
  expect(sameWording('My dog is called Rex.', "User's dog is called Rex")).toBe(true)
  expect(sameWording('Likes tea', 'Prefers tea')).toBe(false)
})

test.each([
  ['My blood type is A.', 'My blood type is O.'],
  ['Moved to LA.', 'Moved to UN.'],
  ['Uses the user interface in German.', 'Uses the user guide in German.'],
  ['', 'User is'],
  ['User', 'I'],
])('“%s” is not “%s”', (a, b) => {
  expect(sayTheSame(a, b)).toBe(false)
})

test('long texts are the same word for word alone', () => {
  const long = 'Likes tea. '.repeat(20_000)
  expect(sayTheSame(long, `User says: ${long}`)).toBe(false)
  expect(sayTheSame(long, ` ${long.toUpperCase()} `)).toBe(true)
})
