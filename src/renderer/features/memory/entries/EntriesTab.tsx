import { Archive, ArrowRight, Lock, LockOpen } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { MemoryTarget, MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import type { Given } from '../../../rpc/answers.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { Switch, Select } from '../../../ui/fields/Choice.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { SearchBox } from '../../../ui/fields/TextField.tsx'
import { MANY } from '../../../ui/style.ts'
import { countOf } from '../../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { AddEntry } from './AddEntry.tsx'
import { Capacity } from './Capacity.tsx'
import { EntryList } from './EntryList.tsx'
import { useMemory, useMemoryActions, useView } from '../use-memory.ts'
import {
  capacitiesOf,
  entriesOf,
  filterEntries,
  isNearlyFull,
  noFilters,
  type Filters,
} from '../memory-state.ts'
import { useMoves } from './use-entry-menu.tsx'

const emptyTexts = {
  user: 'Nothing is known about you yet. Write a sentence above, or tell the agent in a chat: “Remember that…”.',
  memory: 'No notes yet. Write one above, or ask the agent in a chat to note something.',
}
const listNames = { user: 'What is known about you', memory: 'Notes' }
const inChatsHints = { on: 'New chats start with it.', off: 'New chats do not see it.' }
const learnHints = {
  on: 'The agent may save what it learns.',
  off: 'The agent saves nothing.',
}

/**
 * The tab of facts about the user, or of notes: the add field, the entries, the used space and the switches.
 */
export function EntriesTab({ target }: { target: MemoryTarget }): ReactNode {
  const view = useView()
  const edits = useMemory(memory => memory.edits)
  const filters = useMemory(memory => memory.filters)
  const filter = useMemory(memory => memory.filter)
  const all = useMemo(() => entriesOf({ view, edits }, target), [view, edits, target])
  const shown = filterEntries(all, { filters, edits })
  const capacities = capacitiesOf({ view, filters }, target)
  const selected = useMemory(memory => memory.selected)
  const isLong = all.length >= MANY || shown.length < all.length || selected.size > 0
  const [full, roomy] = partition(capacities, isNearlyFull)
  if (!view) return <output className="late text-sm text-ink-3">Loading memory…</output>
  return (
    <>
      {!view.useInChats && <p className="mb-3 text-sm text-warn">New chats do not see this.</p>}
      {full.map(capacity => (
        <Capacity key={capacity.project} capacity={capacity} />
      ))}
      <AddEntry target={target} />
      {all.length === 0 ? (
        <p className="mt-6 text-sm text-ink-3">{emptyTexts[target]}</p>
      ) : (
        <>
          {isLong && <MemoryFilterBar target={target} shown={shown} all={all.length} />}
          {shown.length === 0 ? (
            <p className="mt-4 flex flex-wrap items-center gap-2 text-sm text-ink-3">
              <span>No entry matches.</span>
              <button type="button" className="btn btn-secondary" onClick={() => filter(noFilters)}>
                Show all
              </button>
            </p>
          ) : (
            <EntryList label={listNames[target]} entries={shown} isLong={isLong} />
          )}
          <MemoryBulkBar />
        </>
      )}
      <div className="mt-8 grid gap-1">
        {roomy.map(capacity => (
          <Capacity key={capacity.project} capacity={capacity} />
        ))}
        <Switches useInChats={view.useInChats} learnFromChats={view.learnFromChats} />
      </div>
    </>
  )
}

const partition = <T,>(all: readonly T[], isFirst: (each: T) => boolean) =>
  [all.filter(isFirst), all.filter(each => !isFirst(each))] as const

function Switches({ useInChats, learnFromChats }: { useInChats: boolean; learnFromChats: boolean }) {
  const answers = useAnswers()
  const change = async (switches: Given<'memory.setSwitches'>) => {
    const answer = await answers.change('memory.setSwitches', switches, ['memory'])
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  return (
    <div className="grid gap-x-6 gap-y-3 rail:grid-cols-2">
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

const originNames = {
  all: 'By anyone',
  you: 'By you',
  agent: 'By the agent',
  review: 'By a review',
  file: 'By another program',
  import: 'From an import',
}
const ageNames = { all: 'Any age', week: 'Last 7 days', month: 'Last 30 days', older: 'Older than 30 days' }
const lockNames = { all: 'Locked or not', locked: 'Locked', open: 'Not locked' }

type MemoryFilterBarProps = { target: MemoryTarget; shown: readonly MemoryEntry[]; all: number }

/** The filters, and a checkbox that selects all shown entries. */
function MemoryFilterBar({ target, shown, all }: MemoryFilterBarProps): ReactNode {
  const filters = useMemory(memory => memory.filters)
  const filter = useMemory(memory => memory.filter)
  const projects = useView()?.projects ?? []
  const choice = <K extends 'origin' | 'age' | 'locked'>(
    key: K,
    label: string,
    labels: Record<Filters[K], string>,
  ) => (
    <Select
      label={label}
      className="memory-filter"
      value={filters[key]}
      options={(Object.keys(labels) as Filters[K][]).map(value => ({ value, label: labels[value] }))}
      onChange={value => filter({ [key]: value })}
    />
  )
  return (
    <div className="mt-4 grid gap-2">
      <div className="flex flex-wrap gap-2">
        <SearchBox
          label="Search memory"
          query={filters.query}
          className="relative flex min-w-40 flex-1 basis-full items-center"
          onQuery={query => filter({ query })}
        />
        {target === 'memory' && projects.length > 0 && (
          <Select
            label="Where it applies"
            className="memory-filter"
            value={filters.scope}
            options={[
              { value: 'all', label: 'All places' },
              { value: 'everywhere', label: 'Everywhere' },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={scope => filter({ scope })}
          />
        )}
        {choice('origin', 'Who wrote it', originNames)}
        {choice('age', 'When it was changed', ageNames)}
        {choice('locked', 'Locked or not', lockNames)}
      </div>
      <SelectAll shown={shown} all={all} />
    </div>
  )
}

function SelectAll({ shown, all }: { shown: readonly MemoryEntry[]; all: number }) {
  const selected = useMemory(memory => memory.selected)
  const select = useMemory(memory => memory.select)
  const chosen = shown.filter(entry => selected.has(entry.id)).length
  return (
    <div className="flex items-center gap-2.5 px-2 text-xs text-ink-3">
      <input
        ref={box => {
          if (box) box.indeterminate = chosen > 0 && chosen < shown.length
        }}
        type="checkbox"
        className="check"
        aria-label="Select all shown"
        title="Select all shown"
        disabled={shown.length === 0}
        checked={chosen > 0 && chosen === shown.length}
        onChange={event =>
          select(
            shown.map(entry => entry.id),
            event.target.checked,
          )
        }
      />
      <output>
        {shown.length === all
          ? countOf(all, 'entry', 'entries')
          : `${shown.length} of ${countOf(all, 'entry', 'entries')}`}
      </output>
    </div>
  )
}

/** Actions on all selected entries, applied all or nothing. */
function MemoryBulkBar(): ReactNode {
  const selected = useMemory(memory => memory.selected)
  const select = useMemory(memory => memory.select)
  const { lock, move, remove } = useMemoryActions()
  const ids = [...selected]
  const moves = useMoves(place => void move(ids, place))
  if (ids.length === 0) return null
  return (
    <div role="toolbar" aria-label="Selected entries" className="bulk-bar">
      <output className="px-2 text-sm font-medium">{`${ids.length} selected`}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void lock(ids, true)}>
        <Lock size={16} />
        Lock
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void lock(ids, false)}>
        <LockOpen size={16} />
        Unlock
      </button>
      <Menu
        label="Move"
        side="above"
        entries={moves}
        renderButton={props => (
          <button type="button" className="btn btn-quiet" {...props}>
            <ArrowRight size={16} className="rtl:-scale-x-100" />
            Move
          </button>
        )}
      />
      <button type="button" className="btn btn-quiet" onClick={() => void remove(ids)}>
        <Archive size={16} />
        Archive
      </button>
      <IconButton small label="Clear the selection" onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
