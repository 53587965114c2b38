import { useMemo, type ReactNode } from 'react'
import type { MemoryTarget } from '../../../shared/contract/memory.ts'
import { Switch } from '../../ui/Choice.tsx'
import { showToast } from '../../ui/toasts.ts'
import { AddEntry } from './AddEntry.tsx'
import { MemoryBulkBar } from './MemoryBulkBar.tsx'
import { Capacity } from './Capacity.tsx'
import { EntryList } from './EntryList.tsx'
import { MemoryFilterBar } from './MemoryFilterBar.tsx'
import { useMemory } from './memory-context.ts'
import { capacitiesOf, entriesOf, filterEntries, noFilters } from './memory-state.ts'

const emptyTexts = {
  user: 'Nothing is known about you yet. Write a sentence above, or tell the agent in a chat: “Remember that…”.',
  memory: 'There are no notes yet. Write one above, or ask the agent in a chat to note something.',
}
const listNames = { user: 'What is known about you', memory: 'Notes' }
const inChatsHints = { on: 'New chats start with it.', off: 'New chats do not see it.' }
const learnHints = {
  on: 'The agent may write down what it learns.',
  off: 'The agent writes nothing down.',
}

/** The tab of facts about the user, or of notes: capacity, the add field and the entries. */
export function EntriesTab({ target }: { target: MemoryTarget }): ReactNode {
  const view = useMemory(memory => memory.view)
  const edits = useMemory(memory => memory.edits)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const filters = useMemory(memory => memory.filters)
  const filter = useMemory(memory => memory.filter)
  const all = useMemo(() => entriesOf({ view, edits }, target), [view, edits, target])
  const shown = filterEntries(all, { filters, edits, loadedAt })
  const capacities = capacitiesOf({ view, filters }, target)
  if (!view) return <output className="late text-sm text-ink-3">Reading the memory…</output>
  return (
    <>
      <Switches useInChats={view.useInChats} learnFromChats={view.learnFromChats} />
      {capacities.map(capacity => (
        <Capacity key={capacity.project} capacity={capacity} />
      ))}
      <AddEntry target={target} />
      {all.length === 0 ? (
        <p className="mt-6 text-sm text-ink-3">{emptyTexts[target]}</p>
      ) : (
        <>
          <MemoryFilterBar target={target} shown={shown} all={all.length} />
          {shown.length === 0 ? (
            <p className="mt-4 flex flex-wrap items-center gap-2 text-sm text-ink-3">
              <span>No entry matches.</span>
              <button type="button" className="btn btn-secondary" onClick={() => filter(noFilters)}>
                Show all
              </button>
            </p>
          ) : (
            <EntryList label={listNames[target]} entries={shown} />
          )}
          <MemoryBulkBar />
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
        label="Use in chats"
        hint={inChatsHints[useInChats ? 'on' : 'off']}
        on={useInChats}
        onChange={useInChats => void change({ useInChats })}
      />
      <Switch
        label="Learn from chats"
        hint={learnHints[learnFromChats ? 'on' : 'off']}
        on={learnFromChats}
        onChange={learnFromChats => void change({ learnFromChats })}
      />
    </div>
  )
}
