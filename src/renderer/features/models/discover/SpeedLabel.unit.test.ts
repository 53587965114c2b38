import { expect, test } from 'vitest'
import { aFit } from '../../../test/a-computer.ts'
import { tellSpeed } from './SpeedLabel.tsx'

const GB = 1e9
const told = (sizeBytes: number, label: 'gpu' | 'memory' | 'too_big' | 'unknown' = 'memory', cores = 2) =>
  tellSpeed({ activeShare: 1 }, { sizeBytes, fit: aFit(sizeBytes, 4_096, { label }) }, cores)

test('fast, slow and too big are told apart in words, with the words a second where they can be estimated', () => {
  expect(told(0.5 * GB).text).toMatch(/^Fast here: about \d+ words a second$/)
  expect(told(8 * GB).text).toMatch(/^Slow here: about [1-4] words? a second$/)
  expect(told(400 * GB).text).toBe('Slow here: about 1 word a second')
  expect(told(40 * GB, 'too_big').text).toMatch(/^Too big for this computer: .* of memory missing$/)
  expect(told(2 * GB, 'unknown').text).toBe('Cannot tell whether it fits')
  expect(told(5 * GB, 'gpu').kind).toBe('fast')
})

test('a larger file is never told as faster', () => {
  const order = ['fast', 'fair', 'slow']
  const kinds = [0.3, 0.6, 1, 2, 4, 8, 16].map(size => order.indexOf(told(size * GB).kind))
  expect(kinds).toEqual(kinds.toSorted((a, b) => a - b))
  expect(new Set(kinds).size).toBeGreaterThan(1)
})
