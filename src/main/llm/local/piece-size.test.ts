import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pieceSize } from './piece-size.ts'

/** The pieces that a prompt is read in at one speed. */
function piecesOf(total: number, speed: number): number[] {
  const pieces: number[] = []
  for (let left = total; left > 0; left -= pieces.at(-1) ?? left) pieces.push(pieceSize(left, speed))
  return pieces
}

test.for([
  [40, 0, [40]],
  [100, 0, [100]],
  [130, 0, [65, 65]],
  [480, 1_000, [160, 160, 160]],
  [3_000, 100_000, [250, 250, 250, 250, 250, 250, 250, 250, 250, 250, 250, 250]],
  [200, 50, [67, 67, 66]],
] as const)('%d tokens at %d a second are read as %j', ([total, speed, pieces]) => {
  expect(piecesOf(total, speed)).toEqual(pieces)
})

test('whatever the prompt and the speed, no piece is small unless it is all, and none fills more than a batch', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (total, speed) => {
        const pieces = piecesOf(total, speed)
        expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(total)
        expect(Math.max(...pieces)).toBeLessThanOrEqual(256)
        if (total >= 64) expect(Math.min(...pieces)).toBeGreaterThanOrEqual(63)
      },
    ),
  )
})
