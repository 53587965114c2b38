import { Search } from 'lucide-react'
import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from '../../ui/style.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keys.ts'
import { formatCount } from '../../ui/format.ts'
import { Select } from '../../ui/Choice.tsx'
import { useSkills } from './skills-context.ts'
import type { Show, Sort } from './skills-state.ts'

const SHOWS = {
  all: 'All',
  on: 'On',
  agent: 'Learned by the agent',
  builtin: 'Built in',
  imported: 'Imported',
  attention: 'Needs attention',
  deleted: 'Deleted',
} as const

const SORTS = { name: 'By name', used: 'Most used', updated: 'Last changed', size: 'Largest' } as const

type Props = { counts: Readonly<Record<Show, number>>; onLeave: () => void }

/** Search, filter and sort order. `onLeave` moves the focus into the list. */
export function SkillFilterBar({ counts, onLeave }: Props): ReactNode {
  const filters = useSkills(skills => skills.filters)
  const filter = useSkills(skills => skills.filter)
  return (
    <div className="grid gap-2 px-3 pt-1 pb-2">
      <div className="flex gap-2">
        <SearchField query={filters.query} onQuery={query => filter({ query })} onLeave={onLeave} />
        <Select
          label="Order"
          className="w-32 shrink-0"
          value={filters.sort}
          options={(Object.keys(SORTS) as Sort[]).map(value => ({ value, label: SORTS[value] }))}
          onChange={sort => filter({ sort })}
        />
      </div>
      <Shows counts={counts} show={filters.show} onShow={show => filter({ show })} />
    </div>
  )
}

type SearchProps = { query: string; onQuery: (query: string) => void; onLeave: () => void }

function SearchField({ query, onQuery, onLeave }: SearchProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const isDown = isKey(event, 'arrowdown') || isKey(event, 'enter')
    if (!isDown && !(isKey(event, 'escape') && query !== '')) return
    event.preventDefault()
    if (isDown) onLeave()
    else onQuery('')
  }
  return (
    <div className="relative flex min-w-0 flex-1 items-center">
      <Search size={15} className="pointer-events-none absolute start-2.5 text-ink-2" />
      <input
        type="text"
        role="searchbox"
        dir="auto"
        data-skill-search=""
        value={query}
        maxLength={200}
        aria-label="Search skills"
        aria-keyshortcuts="/"
        placeholder="Search"
        className="field ps-8 pe-9"
        onChange={event => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {query !== '' && (
        <span className="absolute end-1 flex">
          <IconButton small label="Clear the search" onClick={() => onQuery('')}>
            <Icon name="close" size={13} />
          </IconButton>
        </span>
      )}
    </div>
  )
}

type ShowsProps = { counts: Props['counts']; show: Show; onShow: (show: Show) => void }

/** Built from radio buttons, so that arrow keys work and screen readers announce the position. */
function Shows({ counts, show, onShow }: ShowsProps) {
  const name = useId()
  const all = Object.keys(SHOWS) as Show[]
  return (
    <fieldset>
      <legend className="sr-only">Which skills</legend>
      <div className="flex flex-wrap gap-1">
        {all
          .filter(each => each !== 'deleted' || counts.deleted > 0 || show === 'deleted')
          .map(each => (
            <label key={each} className={cx('filter skill-filter', each === show && 'filter-on')}>
              <input
                type="radio"
                name={name}
                className="sr-only"
                checked={each === show}
                onChange={() => onShow(each)}
              />
              {SHOWS[each]} <span className="text-ink-3">{formatCount(counts[each])}</span>
            </label>
          ))}
      </div>
    </fieldset>
  )
}
