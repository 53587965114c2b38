import { expect, test } from 'vitest'
import { createOutputRing } from './output-ring.ts'

test('short output is kept whole', () => {
  const ring = createOutputRing(4)
  for (const piece of ['ab', 'cd', 'e', 'fgh']) ring.add(piece)
  expect(ring.text()).toBe('abcdefgh')
})

test('of long output the beginning and the end are kept, and what is missing is counted', () => {
  const ring = createOutputRing(4)
  for (let count = 0; count < 10_000; count++) ring.add(String(count % 10))
  ring.add('the end')
  expect(ring.text()).toBe('0123\n[… 9,999 characters were not kept …]\n end')
})
