import { expect, test } from 'vitest'
import { threadCount } from './adapt-threads.ts'

test.for([
  ['auto', 1, 1, 1],
  ['auto', 2, 2, 2],
  ['auto', 8, 8, 8],
  ['auto', 16, 8, 8],
  ['auto', 64, 64, 16],
  ['auto', 4, 0, 1],
  [4, 8, 2, 4],
  [99, 8, 8, 8],
  [0, 8, 8, 1],
] as const)(
  'the wish %s on %d cores, %d of them fast, gives %d threads',
  ([wish, cores, fastCores, threads]) => {
    expect(threadCount(wish, { cores, fastCores })).toBe(threads)
  },
)
