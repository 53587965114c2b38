import type { ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { olderThan } from './Detail.tsx'
import { useMemory } from './memory-context.ts'
import { More } from './More.tsx'
import { RevisionRow } from './RevisionRow.tsx'
import { usePaged } from '../../rpc/use-asked.ts'

/** The revisions of all entries, newest first. */
export function MemoryHistoryTab(): ReactNode {
  const history = useMemory(memory => memory.history)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const list = usePaged<MemoryRevision>(
    (known, limit, signal) => history({ limit, ...olderThan(known) }, signal),
    `${loadedAt}`,
  )
  return (
    <>
      {list.problem !== null && (
        <p role="alert" className="text-sm text-danger">
          {`The history could not be read: ${list.problem}`}
        </p>
      )}
      {list.items?.length === 0 && (
        <p className="text-sm text-ink-3">
          Nothing has changed yet. Every change is listed here, and you can undo it.
        </p>
      )}
      <ol aria-label="Changes" className="entry-list">
        {list.items?.map(revision => (
          <RevisionRow key={revision.id} revision={revision} />
        ))}
      </ol>
      <More list={list} />
    </>
  )
}
