import type { Figures } from '../records.ts'
import { tryEdits, type Tried } from './try-edits.ts'

/** What the published figures are about: the seed, and how many edits of each language under each distortion. */
export const usual = { seed: 1, each: 10 }

/**
 * Try edits and count how they end. `refused` leaves a file as it was; `wrong` makes it a third thing, which must never be.
 * `plainRefused` are those that were quoted as the file has them, and refused all the same.
 */
export function measureEdits({ seed, each } = usual): { rows: Tried[]; figures: Figures } {
  const rows = tryEdits(seed, each)
  const count = (outcome: Tried['outcome'], those: readonly Tried[] = rows) =>
    those.filter(tried => tried.outcome === outcome).length
  const plain = rows.filter(({ distortion }) => distortion === 'none' || distortion === 'CRLF')
  return {
    rows,
    figures: {
      edits: rows.length,
      right: count('right'),
      refused: count('refused'),
      wrong: count('wrong'),
      plainRefused: count('refused', plain),
    },
  }
}
