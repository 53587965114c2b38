import { shareOf } from '../records.ts'
import { measureApprovals } from './measure-approvals.ts'
import type { Measured } from './measured.ts'
import { pathOfRows, type CommandRow, type Expected } from './row.ts'

/** The two halves of one list of commands that must ask or only read, divided at random. */
export const halves = {
  /** The half that was used to mend the judgement. */
  mended: pathOfRows('mended.jsonl'),
  /** The half that nobody looked at while the judgement was mended. */
  unseen: pathOfRows('unseen.jsonl'),
} as const

/**
 * Judge half of the commands, with and without confinement. `ran`: commands that must ask, but run. `asked`:
 * commands that only read, but ask. Commands that are only harmless in *Look* may do either when confined,
 * and are not counted there.
 */
export async function measureHalf(rows: readonly CommandRow[]): Promise<Measured> {
  const { lines, wrong } = await measureApprovals(rows)
  const judged = new Map(
    lines.map(line => {
      const { id, decision, confined } = line as { id: unknown; decision: string; confined?: string }
      return [id, { off: decision, on: confined ?? decision }] as const
    }),
  )
  const isFalse = (row: CommandRow, how: 'off' | 'on', expected: Expected) =>
    (how === 'off' ? row.expect : row.confined) === expected &&
    (judged.get(row.id)![how] === 'run') !== (expected === 'run')
  const counted = (how: 'off' | 'on', expected: Expected) =>
    rows.filter(row => isFalse(row, how, expected)).length
  const reads = rows.filter(row => row.expect === 'run').length
  return {
    lines,
    figures: {
      mustAsk: rows.filter(row => row.expect === 'ask').length,
      ran: counted('off', 'ask'),
      mustAskConfined: rows.filter(row => row.confined === 'ask').length,
      ranConfined: counted('on', 'ask'),
      reads,
      asked: counted('off', 'run'),
      askedShare: shareOf(counted('off', 'run'), reads),
      askedConfined: counted('on', 'run'),
      askedConfinedShare: shareOf(counted('on', 'run'), reads),
    },
    wrong,
  }
}
