import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MemoryEntry, MemoryTarget } from '../../../shared/contract/memory.ts'
import { useMemory } from './memory-context.ts'
import type { Filters } from './memory-state.ts'
import { SearchBox } from './SearchBox.tsx'
import { Select } from '../../ui/Select.tsx'
import { memoryText } from './strings.ts'

type Props = { target: MemoryTarget; shown: readonly MemoryEntry[]; all: number }

/** Which entries are shown, and a box to select them all. */
export function FilterBar({ target, shown, all }: Props): ReactNode {
  const filters = useMemory(memory => memory.filters)
  const filter = useMemory(memory => memory.filter)
  const projects = useMemory(memory => memory.view?.projects) ?? []
  const text = memoryText.filter
  const choice = <K extends 'origin' | 'age' | 'locked'>(key: K, labels: Record<Filters[K], string>) => (
    <Select
      label={text[key]}
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
          label={text.search}
          hint={text.hint}
          query={filters.query}
          sign={<Search size={15} />}
          onQuery={query => filter({ query })}
        />
        {target === 'memory' && projects.length > 0 && (
          <Select
            label={text.scope}
            className="memory-filter"
            value={filters.scope}
            options={[
              { value: 'all', label: text.scopes.all },
              { value: 'everywhere', label: text.scopes.everywhere },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={scope => filter({ scope })}
          />
        )}
        {choice('origin', text.origins)}
        {choice('age', text.ages)}
        {choice('locked', text.locks)}
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
        aria-label={memoryText.bulk.all}
        title={memoryText.bulk.all}
        disabled={shown.length === 0}
        checked={chosen > 0 && chosen === shown.length}
        onChange={event =>
          select(
            shown.map(entry => entry.id),
            event.target.checked,
          )
        }
      />
      <output>{memoryText.filter.found(shown.length, all)}</output>
    </div>
  )
}
