import { ArchiveRestore, Info, Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { Highlight } from '../../ui/Highlight.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useMemory, usePlaceName } from './memory-context.ts'
import { More } from './More.tsx'
import { SearchBox } from './SearchBox.tsx'
import { shorten } from './shorten.ts'
import { memoryText } from './strings.ts'
import { useActions } from './use-actions.ts'
import { usePaged } from '../../rpc/use-asked.ts'
import { When } from '../../ui/When.tsx'

/** What was deleted, the newest first, to look through and to bring back. */
export function ArchiveTab(): ReactNode {
  const [query, setQuery] = useState('')
  const archive = useMemory(memory => memory.archive)
  const isEmpty = useMemory(memory => memory.view?.archived === 0)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const list = usePaged<MemoryEntry>(
    (known, limit, signal) => archive({ query, limit, offset: known.length }, signal),
    `${loadedAt} ${query}`,
  )
  if (isEmpty) return <p className="text-sm text-ink-3">{memoryText.empty.archive}</p>
  return (
    <>
      <div className="mb-3 flex">
        <SearchBox
          label={memoryText.archive.search}
          hint={memoryText.archive.search}
          query={query}
          sign={<Search size={15} />}
          onQuery={setQuery}
        />
      </div>
      {list.problem !== null && (
        <p role="alert" className="text-sm text-danger">
          {memoryText.archive.failed(list.problem)}
        </p>
      )}
      {list.items?.length === 0 && query.trim() !== '' && (
        <p className="text-sm text-ink-3">{memoryText.empty.archiveFiltered(query)}</p>
      )}
      <ul aria-label={memoryText.list.archive} className="entry-list">
        {list.items?.map(entry => (
          <Row key={entry.id} entry={entry} query={query} />
        ))}
      </ul>
      <More list={list} />
    </>
  )
}

function Row({ entry, query }: { entry: MemoryEntry; query: string }) {
  const placeName = usePlaceName()
  const { bringBack } = useActions()
  const name = shorten(entry.text)
  return (
    <li className="entry">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="px-1.5 break-words whitespace-pre-wrap">
          <Highlight text={entry.text} query={query} />
        </p>
        <p className="entry-chips">
          <span>{placeName(entry)}</span>
          <span>
            {memoryText.archive.deleted} <When at={entry.archivedAt ?? entry.updatedAt} />
          </span>
        </p>
      </div>
      <button
        type="button"
        aria-label={memoryText.archive.restoreOf(name)}
        className="btn btn-quiet self-start"
        onClick={() => void bringBack(entry)}
      >
        <ArchiveRestore size={15} />
        {memoryText.archive.restore}
      </button>
      <IconButton
        small
        label={memoryText.row.detailsOf(name)}
        onClick={() => go({ page: 'memory', entryId: entry.id })}
      >
        <Info size={15} />
      </IconButton>
    </li>
  )
}
