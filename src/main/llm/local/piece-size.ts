import { batchTokens } from './protocol.ts'

/** A piece of a prompt lasts about this long, so that a stop never waits for more. */
const pieceMs = 200
/** With fewer tokens at once, a processor reads each of them two to ten times slower. */
const smallest = 64

/**
 * How many tokens to read next of those that are left, at a speed in tokens a second that is 0 when it is not known.
 * All pieces of a prompt come out about equal, and none is small.
 */
export function pieceSize(left: number, speed: number): number {
  const size = Math.min(Math.max(speed * (pieceMs / 1_000), smallest), batchTokens)
  const count = Math.ceil(left / size)
  const pieces = left / count < smallest ? count - 1 : count
  return Math.ceil(left / Math.max(pieces, 1))
}
