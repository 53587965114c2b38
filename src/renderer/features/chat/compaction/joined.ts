import type { Compaction } from '../../../../shared/contract/session.ts'

/** Merges known and reported items in order, without duplicates. */
export function joined(known: readonly Compaction[], told: readonly Compaction[]): readonly Compaction[] {
  const byId = new Map([...known, ...told].map(compaction => [compaction.id, compaction]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}
