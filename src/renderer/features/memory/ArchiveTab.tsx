import { ArchiveRestore, Eraser, Info } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/learned/memory.ts'
import { goTo } from '../../route.ts'
import { Highlight, When } from '../../ui/text/InlineText.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ForgetForGood } from './entries/ForgetForGood.tsx'
import { PAGE, usePlaceName, useMemoryActions, useView } from './use-memory.ts'
import { More } from '../../ui/Progress.tsx'
import { SearchBox } from '../../ui/fields/TextField.tsx'
import { oneLine } from '../../ui/text/format-values.ts'
import { usePages, useSettled } from '../../rpc/use-answer.ts'
import { Problem } from '../../ui/Banner.tsx'
import { placeElements } from '../../ui/text/place-elements.tsx'

/** Debounce while the user types, in ms. */
const TYPING_MS = 120

/** The archived entries, newest first, each with Restore. */
export function ArchiveTab(): ReactNode {
  const [query, setQuery] = useState('')
  const asked = useSettled(query, TYPING_MS)
  const isEmpty = useView()?.archived === 0
  const list = usePages(
    'memory.archive',
    (known: readonly MemoryEntry[]) => ({ query: asked, limit: PAGE, offset: known.length }),
    ({ entries: items, more }) => ({ items, more }),
  )
  if (isEmpty)
    return <p className="text-sm text-ink-3">The archive is empty. Entries that you archive appear here.</p>
  return (
    <>
      <div className="mb-3 flex">
        <SearchBox
          label="Search the archive"
          hint="Search the archive"
          query={query}
          className="relative flex min-w-40 flex-1 basis-full items-center"
          onQuery={setQuery}
        />
      </div>
      {list.problem !== null && <Problem text={`The archive could not be read: ${list.problem}`} />}
      {list.items?.length === 0 && query.trim() !== '' && (
        <p className="text-sm text-ink-3">{`Nothing in the archive matches “${query}”.`}</p>
      )}
      <ul aria-label="Archive" className="entry-list">
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
  const { bringBack } = useMemoryActions()
  const name = oneLine(entry.text, 60)
  const [isForgetting, setIsForgetting] = useState(false)
  return (
    <li className="entry">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="px-1.5 break-words whitespace-pre-wrap">
          <Highlight text={entry.text} query={query} />
        </p>
        <p className="entry-chips">
          <span>{placeName(entry)}</span>
          <span>
            {placeElements('archived {when}', { when: <When at={entry.archivedAt ?? entry.updatedAt} /> })}
          </span>
        </p>
      </div>
      <button
        type="button"
        aria-label={`Restore “${name}”`}
        className="btn btn-quiet self-start"
        onClick={() => void bringBack(entry)}
      >
        <ArchiveRestore size={16} />
        Restore
      </button>
      <IconButton
        small
        label={`Details of “${name}”`}
        onClick={() => goTo({ page: 'memory', entryId: entry.id })}
      >
        <Info size={16} />
      </IconButton>
      <IconButton
        small
        label={`Forget “${name}” for good`}
        title="Forget for good"
        onClick={() => setIsForgetting(true)}
      >
        <Eraser size={16} />
      </IconButton>
      {isForgetting && <ForgetForGood entry={entry} onClose={() => setIsForgetting(false)} />}
    </li>
  )
}
