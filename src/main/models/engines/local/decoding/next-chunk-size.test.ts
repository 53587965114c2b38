import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextChunkSize } from './complete-prompt.ts'

/** The chunks of a prompt at one speed. */
function piecesOf(total: number, speed: number): number[] {
  const pieces: number[] = []
  for (let left = total; left > 0; left -= pieces.at(-1) ?? left) pieces.push(nextChunkSize(left, speed))
  return pieces
}

test.for([
  [40, 0, [40]],
  [79, 0, [79]],
  [80, 0, [64, 16]],
  [480, 1_000, [192, 192, 96]],
  [600, 100_000, [256, 256, 88]],
  [271, 100_000, [256, 15]],
  [200, 50, [64, 64, 72]],
] as const)('%d tokens at %d tokens a second are read in chunks of %j', ([total, speed, pieces]) => {
  expect(piecesOf(total, speed)).toEqual(pieces)
})

test('for any prompt and speed, all chunks but the last are whole tiles within one batch', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (total, speed) => {
        const pieces = piecesOf(total, speed)
        expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(total)
        expect(Math.max(...pieces)).toBeLessThanOrEqual(256)
        expect(pieces.slice(0, -1).filter(piece => piece % 64 !== 0)).toEqual([])
      },
    ),
  )
})

test('at a measured speed, no chunk takes much longer than 200 ms unless a single tile does', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 1, max: 1e6, noNaN: true }),
      (total, speed) => {
        const longest = Math.max(...piecesOf(total, speed))
        expect(longest).toBeLessThan(Math.max(64, speed * 0.2) + 16)
      },
    ),
  )
})
