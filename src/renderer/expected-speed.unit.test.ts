import { expect, test } from 'vitest'
import { aFit } from './test/a-computer.ts'
import { expectedSpeed } from './expected-speed.ts'

const GB = 1e9
const file = (sizeBytes: number, label: 'gpu' | 'memory' | 'too_big' | 'unknown' = 'memory') => ({
  sizeBytes,
  fit: aFit(sizeBytes, 4_096, { label }),
})
const speedOf = (activeShare: number, ...of: Parameters<typeof file>) =>
  expectedSpeed({ activeShare }, file(...of), 8)
const speed = (...of: Parameters<typeof file>) => speedOf(1, ...of)

test('a larger file is expected to be slower, but at least one word a second', () => {
  const [small, large, huge] = [speed(GB), speed(8 * GB), speed(400 * GB)]
  expect(small!.low).toBeGreaterThan(large!.low)
  expect(small!.high).toBeGreaterThan(large!.high)
  expect(huge).toEqual({ low: 1, high: 1 })
})

// 21 tokens a second with 0.79 GB, and about 50 with 0.35 GB, were measured with two cores.
test.for([
  [0.79, 16],
  [0.35, 38],
] as const)('the speed measured with two cores and %d GB is within the estimate', ([size, words]) => {
  const guess = expectedSpeed({ activeShare: 1 }, file(size * GB), 2)!
  expect(guess.low).toBeLessThanOrEqual(words)
  expect(guess.high).toBeGreaterThanOrEqual(words)
})

test('a graphics card and a mixture of experts are expected to be faster', () => {
  expect(speed(5 * GB, 'gpu')!.low).toBeGreaterThan(speed(5 * GB)!.high)
  expect(speedOf(0.11, 18 * GB)!.low).toBeGreaterThan(speed(18 * GB)!.high)
})

test('without a known fit or size there is no estimate', () => {
  expect([
    speed(5 * GB, 'too_big'),
    speed(5 * GB, 'unknown'),
    speed(0),
    expectedSpeed({ activeShare: 1 }, { ...file(GB), fit: null }, 8),
  ]).toEqual([null, null, null, null])
})
