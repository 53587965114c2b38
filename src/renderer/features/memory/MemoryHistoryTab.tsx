import type { ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { olderThan } from './Detail.tsx'
import { useMemory } from './memory-context.ts'
import { More } from './More.tsx'
import { RevisionRow } from './RevisionRow.tsx'
import { memoryText } from './strings.ts'
import { usePaged } from '../../rpc/use-asked.ts'

/** Every change of every entry, the newest first. */
export function HistoryTab(): ReactNode {
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
          {memoryText.history.failed(list.problem)}
        </p>
      )}
      {list.items?.length === 0 && <p className="text-sm text-ink-3">{memoryText.empty.history}</p>}
      <ol aria-label={memoryText.list.history} className="entry-list">
        {list.items?.map(revision => (
          <RevisionRow key={revision.id} revision={revision} />
        ))}
      </ol>
      <More list={list} />
    </>
  )
}
