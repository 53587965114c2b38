import { useMemo, useState, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { useMemory, usePlaceName } from './memory-context.ts'
import { isIn } from './memory-state.ts'
import { similarTo } from './merge.ts'
import { MergeDialog } from './MergeDialog.tsx'
import { oneLine } from '../../ui/format.ts'

/** Entries similar to this one, each with a Merge button. */
export function Similar({ entry }: { entry: MemoryEntry }): ReactNode {
  const entries = useMemory(memory => memory.view?.entries)
  const similar = useMemo(() => similarTo(entry, entries ?? []), [entry, entries])
  const placeName = usePlaceName()
  const [pair, setPair] = useState<{ kept: MemoryEntry; other: MemoryEntry }>()
  return (
    <>
      {similar.length > 0 && (
        <section className="grid gap-2">
          <h3 className="text-xs font-medium text-ink-3">Similar entries</h3>
          <ul className="grid gap-2.5">
            {similar.map(other => (
              <li key={other.id} className="flex items-start justify-between gap-3">
                <div className="min-w-0 flex-1">
                  <button
                    type="button"
                    dir="auto"
                    className="link-btn line-clamp-3 text-sm break-words"
                    onClick={() => go({ page: 'memory', entryId: other.id })}
                  >
                    {other.text}
                  </button>
                  {!isIn(other, entry) && <p className="text-xs text-ink-3">{placeName(other)}</p>}
                </div>
                <button
                  type="button"
                  className="btn btn-secondary shrink-0"
                  aria-label={`Merge with “${oneLine(other.text, 60)}”…`}
                  onClick={() => setPair({ kept: entry, other })}
                >
                  Merge…
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {pair && <MergeDialog {...pair} onClose={() => setPair(undefined)} />}
    </>
  )
}
