import type { ReactNode } from 'react'
import { Icon } from '../../../ui/IconButton.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { cx } from '../../../ui/style.ts'

const sinceNames = {
  any: 'Any time',
  week: 'Last week',
  month: 'Last month',
  year: 'Last year',
} satisfies Record<Since, string>

type Props = { filters: Filters; onChange: (filters: Filters) => void }

/** Filters the search by time and by author. */
export function SearchFilters({ filters, onChange }: Props): ReactNode {
  return (
    <div className="flex flex-wrap gap-1 px-1 pt-1.5">
      <Choice
        name="When"
        values={sinceNames}
        value={filters.since}
        onChange={(since: Since) => onChange({ ...filters, since })}
      />
      <Choice
        name="Who said it"
        values={roleNames}
        value={filters.role}
        onChange={(role: Role) => onChange({ ...filters, role })}
      />
    </div>
  )
}

type ChoiceProps<T extends string> = {
  name: string
  values: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

function Choice<T extends string>({ name, values, value, onChange }: ChoiceProps<T>) {
  const label = `${name}: ${values[value]}`
  return (
    <Menu
      label={name}
      entries={(Object.keys(values) as T[]).map(each => ({
        id: each,
        label: values[each],
        checked: each === value,
        onSelect: () => onChange(each),
      }))}
      renderButton={props => (
        <button
          type="button"
          aria-label={label}
          title={label}
          className={cx('filter', value !== 'any' && 'filter-on')}
          {...props}
        >
          {values[value]}
          <Icon name="chevron" size={11} />
        </button>
      )}
    />
  )
}

export const roleNames = {
  any: 'Anyone',
  user: 'You',
  assistant: 'Talaria',
  tool: 'Tools',
} satisfies Record<Role, string>
/** How far back to search. */
type Since = 'any' | 'week' | 'month' | 'year'

/** Whose messages to search. */
type Role = 'any' | 'user' | 'assistant' | 'tool'

export type Filters = { since: Since; role: Role }

export const everywhere: Filters = { since: 'any', role: 'any' }

export const isFiltered = ({ since, role }: Filters): boolean => since !== 'any' || role !== 'any'

const DAY_MS = 86_400_000
const days: Record<Exclude<Since, 'any'>, number> = { week: 7, month: 30, year: 365 }

/** Start of the search period in epoch ms; undefined for all time. */
export const startOf = (since: Since, now: number): number | undefined =>
  since === 'any' ? undefined : now - days[since] * DAY_MS
