import type { Compaction } from '../../../../shared/contract/session.ts'
import { rowOf, type Item } from '../items.ts'

/** Rows that belong to the row before them. */
const trailing = new Set<Item['kind']>(['note', 'claim', 'learned', 'skills', 'offered', 'end'])

/**
 * Adds a divider to the transcript rows after the last message that the summary covers. There is at most one,
 * because a later summary includes the earlier ones. If the covered messages are not loaded, no divider is
 * added.
 */
export function withDivider(items: readonly Item[], compactions: readonly Compaction[]): readonly Item[] {
  const compaction = compactions.findLast(({ by }) => by !== 'pruning') ?? compactions.at(-1)
  if (!compaction) return items
  const upToId = compaction.by === 'pruning' ? compaction.prunedToId : compaction.upToId
  const row = rowOf(items, upToId)
  if (row < 0) return items
  let at = row + 1
  while (at < items.length && trailing.has(items[at]!.kind)) at++
  return items.toSpliced(at, 0, { key: `compaction:${upToId}`, kind: 'compaction', compaction })
}
