import { useEffect, useState, type ReactNode } from 'react'
import { Icon } from '../../../ui/IconButton.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { cx } from '../../../ui/style.ts'
import type { RecallHit } from '../../../../shared/contract/chats/session.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { joinHits } from './join-hits.ts'

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
          <Icon name="chevron" size={12} />
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

type Filters = { since: Since; role: Role }

export const everywhere: Filters = { since: 'any', role: 'any' }

export const isFiltered = ({ since, role }: Filters): boolean => since !== 'any' || role !== 'any'

const DAY_MS = 86_400_000
const days: Record<Exclude<Since, 'any'>, number> = { week: 7, month: 30, year: 365 }

/** Start of the search period in epoch ms; undefined for all time. */
const startOf = (since: Since, now: number): number | undefined =>
  since === 'any' ? undefined : now - days[since] * DAY_MS

/** Debounce of the search, in ms. */
const TYPING_MS = 150

/** Maximum number of chats shown. */
const MOST = 30

/** The results, with the query and filters they belong to. */
export type Found = { query: string; filters: Filters; hits: Outcome<readonly RecallHit[]> }

/**
 * Search all messages. The last results stay until the next arrive, so the list does not flicker.
 * Outdated requests are aborted. A new filters object searches again, even with equal values.
 */
export function useSearch(query: string, filters: Filters): Found | undefined {
  const { client } = useLink()
  const findSessions = useHost(host => host.findSessions)
  const [found, setFound] = useState<Found>()

  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    async function search() {
      const from = startOf(filters.since, Date.now())
      const { role } = filters
      const [recalled, listed] = await Promise.all([
        attemptCall(
          client['recall.search'](
            {
              query,
              limit: MOST,
              ...(from === undefined ? {} : { from }),
              ...(role === 'any' ? {} : { role }),
            },
            { signal },
          ),
        ),
        // Titles have neither a role nor a single date.
        isFiltered(filters) ? undefined : findSessions(query, signal),
      ])
      if (signal.aborted) return
      const others = listed?.ok ? listed.value : []
      const hits: Found['hits'] = recalled.ok
        ? { ok: true, value: joinHits(recalled.value.hits, others, query) }
        : recalled
      setFound({ query, filters, hits })
    }
    const timer = setTimeout(() => void search(), TYPING_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [client, findSessions, query, filters])

  return found
}
