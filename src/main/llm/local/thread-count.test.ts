import { expect, test } from 'vitest'
import { threadCount } from './thread-count.ts'

test.for([
  ['auto', 1, 1],
  ['auto', 2, 1],
  ['auto', 8, 7],
  ['auto', 64, 16],
  [4, 8, 4],
  [99, 8, 8],
  [0, 8, 1],
] as const)('the wish %s on %d cores gives %d threads', ([wish, cores, threads]) => {
  expect(threadCount(wish, cores)).toBe(threads)
})
