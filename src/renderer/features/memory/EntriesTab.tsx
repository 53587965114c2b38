import { useMemo, type ReactNode } from 'react'
import type { MemoryTarget } from '../../../shared/contract/memory.ts'
import { Switch } from '../../ui/Switch.tsx'
import { showToast } from '../../ui/toasts.ts'
import { AddEntry } from './AddEntry.tsx'
import { BulkBar } from './BulkBar.tsx'
import { Capacity } from './Capacity.tsx'
import { EntryList } from './EntryList.tsx'
import { FilterBar } from './FilterBar.tsx'
import { useMemory } from './memory-context.ts'
import { capacitiesOf, entriesOf, filterEntries, noFilters } from './memory-state.ts'
import { memoryText } from './strings.ts'

/** What is remembered about the person, or as notes: how much room is left, something new, and the entries. */
export function EntriesTab({ target }: { target: MemoryTarget }): ReactNode {
  const view = useMemory(memory => memory.view)
  const edits = useMemory(memory => memory.edits)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const filters = useMemory(memory => memory.filters)
  const filter = useMemory(memory => memory.filter)
  const all = useMemo(() => entriesOf({ view, edits }, target), [view, edits, target])
  const shown = filterEntries(all, { filters, edits, loadedAt })
  const capacities = capacitiesOf({ view, filters }, target)
  if (!view) return <output className="late text-sm text-ink-3">{memoryText.loading}</output>
  return (
    <>
      <Switches useInChats={view.useInChats} learnFromChats={view.learnFromChats} />
      {capacities.map(capacity => (
        <Capacity key={capacity.project} capacity={capacity} />
      ))}
      <AddEntry target={target} />
      {all.length === 0 ? (
        <p className="mt-6 text-sm text-ink-3">{memoryText.empty[target]}</p>
      ) : (
        <>
          <FilterBar target={target} shown={shown} all={all.length} />
          {shown.length === 0 ? (
            <p className="mt-4 flex flex-wrap items-center gap-2 text-sm text-ink-3">
              <span>{memoryText.empty.filtered}</span>
              <button type="button" className="btn btn-secondary" onClick={() => filter(noFilters)}>
                {memoryText.filter.reset}
              </button>
            </p>
          ) : (
            <EntryList label={memoryText.list[target]} entries={shown} />
          )}
          <BulkBar />
        </>
      )}
    </>
  )
}

function Switches({ useInChats, learnFromChats }: { useInChats: boolean; learnFromChats: boolean }) {
  const setSwitches = useMemory(memory => memory.setSwitches)
  const change = async (change: Parameters<typeof setSwitches>[0]) => {
    const answer = await setSwitches(change)
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  return (
    <div className="mb-4 grid gap-x-6 gap-y-3 rail:grid-cols-2">
      <Switch
        label={memoryText.switches.inChats}
        hint={memoryText.switches.inChatsHint[useInChats ? 'on' : 'off']}
        on={useInChats}
        onChange={useInChats => void change({ useInChats })}
      />
      <Switch
        label={memoryText.switches.learn}
        hint={memoryText.switches.learnHint[learnFromChats ? 'on' : 'off']}
        on={learnFromChats}
        onChange={learnFromChats => void change({ learnFromChats })}
      />
    </div>
  )
}
