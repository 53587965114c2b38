import { expect, test } from 'vitest'
import { pickParts, runParts, type Measured } from './run-parts.ts'

const aPart = (measure: () => Promise<Measured>) => ({ minutes: 1, measure })

test('a part that fails is named, and the others are still measured', async () => {
  const said: string[] = []
  const parts = {
    first: aPart(async () => ({ first_ms: 1 })),
    broken: aPart(() => Promise.reject(new Error('No Chromium was found.'))),
    empty: aPart(async () => ({ empty_ms: Number.NaN, empty_model: 'half' })),
    last: aPart(async () => ({ last_ms: 2, last_form: 'full' })),
  }
  expect(await runParts(parts, line => said.push(line))).toEqual({
    parts: { first: { first_ms: 1 }, last: { last_ms: 2, last_form: 'full' } },
    failed: {
      broken: 'No Chromium was found.',
      empty: 'No numbers were measured for empty_ms.',
    },
  })
  expect(said.filter(line => line.endsWith(' …'))).toEqual(['first …', 'broken …', 'empty …', 'last …'])
})

test('parts are picked by name, in the order of the list', () => {
  const parts = { a: 1, b: 2, c: 3 }
  expect(Object.entries(pickParts(parts, ['c', 'a']).picked ?? {})).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  expect(pickParts(parts, ['a', 'd', 'toString'])).toEqual({ unknown: ['d', 'toString'] })
})
