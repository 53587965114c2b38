import type { Figures } from '../records.ts'
import { tryEdits, type Tried } from './try-edits.ts'

/** For the published figures: the seed, and the number of edits for each language and distortion. */
export const usual = { seed: 1, each: 10 }

/**
 * Try edits and count how they end. `refused` leaves the file as it was; `wrong` gives a third result, which
 * must never happen. `plainRefused` were quoted exactly as in the file, and still refused.
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
