import type { Compaction } from '../../../../shared/contract/session.ts'
import { rowOf, type Item } from '../items.ts'

/** Rows that belong to what stands before them. */
const trailing = new Set<Item['kind']>(['note', 'claim', 'learned', 'skills', 'offered', 'end'])

/**
 * The rows of a transcript with a divider where the summary ends that stands for the messages before it. There is one at
 * most, because a later summary holds what the earlier ones held; where messages are not loaded yet, there is none.
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
