import type { Compaction } from '../../../../shared/contract/session.ts'

/** Those that are known and those that were told, each once and in their order. */
export function joined(known: readonly Compaction[], told: readonly Compaction[]): readonly Compaction[] {
  const byId = new Map([...known, ...told].map(compaction => [compaction.id, compaction]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}
