import { useState, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { useRoute } from '../../route.ts'
import { EntryRow } from './EntryRow.tsx'
import { useMemory } from './memory-context.ts'
import { entryAt, moveByKey } from './entry-focus.ts'

type Props = { label: string; entries: readonly MemoryEntry[] }

/** A list of entries with a roving tabindex: one tab stop, and arrow keys between the rows. */
export function EntryList({ label, entries }: Props): ReactNode {
  const edits = useMemory(memory => memory.edits)
  const selected = useMemory(memory => memory.selected)
  const opened = useRoute(route => route.entryId)
  const [lastId, setLastId] = useState<string | null>(null)
  const has = (id: string | null) => entries.some(entry => entry.id === id && !edits[entry.id])
  const tabId = [lastId, opened].find(has) ?? entries.find(entry => !edits[entry.id])?.id
  return (
    <div
      role="presentation"
      onKeyDown={moveByKey}
      onFocus={event => setLastId(entryAt(event.target) ?? lastId)}
    >
      <ul aria-label={label} className="entry-list">
        {entries.map(entry => (
          <EntryRow
            key={entry.id}
            entry={entry}
            edit={edits[entry.id]}
            selected={selected.has(entry.id)}
            opened={entry.id === opened}
            inTabOrder={entry.id === tabId}
          />
        ))}
      </ul>
    </div>
  )
}
