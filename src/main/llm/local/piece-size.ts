import { batchTokens } from './protocol.ts'

/** A piece of a prompt lasts about this long, so that a stop never waits for more. */
const pieceMs = 200
/** Attention is computed for this many tokens together; with fewer, all of them are read a fifth slower. */
const tile = 64
/** A remainder up to this is read with the piece before it: it would be a pass through all weights of its own. */
const smallest = 16

/**
 * How many tokens to read next of those that are left, at a speed in tokens a second that is 0 when it is not known.
 * Pieces are whole tiles, except for the last one, and never longer than the batch.
 */
export function pieceSize(left: number, speed: number, most = batchTokens): number {
  const tiles = Math.floor((speed * pieceMs) / 1_000 / tile)
  const size = Math.min(Math.max(tiles, 1) * tile, most)
  const isLast = left < size + smallest && left <= most
  return isLast ? left : size
}
