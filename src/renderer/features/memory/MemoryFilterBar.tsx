import type { ReactNode } from 'react'
import type { MemoryEntry, MemoryTarget } from '../../../shared/contract/memory.ts'
import { useMemory } from './memory-context.ts'
import type { Filters } from './memory-state.ts'
import { SearchBox } from '../../ui/TextField.tsx'
import { Select } from '../../ui/Choice.tsx'
import { plural } from '../../ui/format.ts'

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

type Props = { target: MemoryTarget; shown: readonly MemoryEntry[]; all: number }

/** The filters, and a checkbox that selects all shown entries. */
export function MemoryFilterBar({ target, shown, all }: Props): ReactNode {
  const filters = useMemory(memory => memory.filters)
  const filter = useMemory(memory => memory.filter)
  const projects = useMemory(memory => memory.view?.projects) ?? []
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
    <div className="grid gap-2">
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
          ? plural(all, '1 entry', 'entries')
          : `${shown.length} of ${plural(all, '1 entry', 'entries')}`}
      </output>
    </div>
  )
}
