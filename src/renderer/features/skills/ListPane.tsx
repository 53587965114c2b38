import { Search, Boxes, Download, Power, PowerOff, Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode, type RefObject, useId, type KeyboardEvent } from 'react'
import type { Skill } from '../../../shared/contract/skills.ts'
import { countOf, formatCount } from '../../ui/format.ts'
import { cx } from '../../ui/style.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keys.ts'
import { Select } from '../../ui/Choice.tsx'
import { BundleDialog, Bundles } from './Bundles.tsx'
import { SkillList, type SkillListHandle } from './SkillList.tsx'
import { useSkills, useSkillActions } from './use-skills.ts'
import { countsOf, listedOf, noFilters, rowsOf, type Show, type Sort } from './skills-state.ts'

const EMPTY_TEXTS = {
  all: 'There are no skills.',
  on: 'No skill is on. Switch one on, and new chats can use it.',
  agent: 'The agent has learned no skill yet. After a longer task, ask it: “Make a skill from this.”',
  builtin: 'No skills came with Talaria.',
  imported: 'Nothing was imported yet. Skills come from a folder, a zip, a git address or pasted text.',
  attention: 'Nothing needs attention: no skill is broken, failing or long unused.',
  deleted: 'Nothing was deleted. Deleted skills appear here.',
} as const

type Props = { list: RefObject<SkillListHandle | null> }

/** The left pane: search and the list of skills. */
export function ListPane({ list }: Props): ReactNode {
  const library = useSkills(skills => skills.library)
  const filters = useSkills(skills => skills.filters)
  const counts = useMemo(() => countsOf(listedOf(library), library?.deleted.length ?? 0), [library])
  const rows = useMemo(() => (library ? rowsOf(library, filters) : []), [library, filters])
  const shown = useMemo(() => rows.flatMap(row => (row.kind === 'skill' ? [row.skill] : [])), [rows])
  if (!library) return <output className="late p-4 text-sm text-ink-3">Reading the skills…</output>
  const isDeleted = filters.show === 'deleted'
  const isEmpty = counts.all === 0 && counts.deleted === 0 && rows.length === 0
  return (
    <>
      {!isEmpty && <SkillFilterBar counts={counts} onLeave={() => list.current?.focus()} />}
      {!isEmpty && !isDeleted && <Bundles />}
      {!isEmpty && !isDeleted && <SelectAll shown={shown} all={counts.all} />}
      {rows.length === 0 ? <Nothing isEmpty={isEmpty} /> : <SkillList ref={list} rows={rows} />}
      <SkillBulkBar />
    </>
  )
}

function Nothing({ isEmpty }: { isEmpty: boolean }) {
  const { query, show } = useSkills(skills => skills.filters)
  const filter = useSkills(skills => skills.filter)
  if (isEmpty)
    return (
      <p className="p-4 text-sm text-ink-3">
        There are no skills yet. Write one, import one, or let the agent write down how it did something.
      </p>
    )
  const isFiltered = query.trim() !== ''
  return (
    <div className="grid justify-items-start gap-2 p-4 text-sm text-ink-3">
      <p>{isFiltered ? 'No skill matches.' : EMPTY_TEXTS[show]}</p>
      <button type="button" className="btn btn-secondary" onClick={() => filter(noFilters)}>
        Show all
      </button>
    </div>
  )
}

function SelectAll({ shown, all }: { shown: readonly Skill[]; all: number }) {
  const selected = useSkills(skills => skills.selected)
  const select = useSkills(skills => skills.select)
  const chosen = shown.filter(skill => selected.has(skill.id)).length
  return (
    <div className="flex items-center gap-2.5 px-4 pb-1.5 text-xs text-ink-3">
      <input
        ref={box => {
          if (box) box.indeterminate = chosen > 0 && chosen < shown.length
        }}
        type="checkbox"
        className="check"
        aria-label="Select all listed"
        title="Select all listed"
        disabled={shown.length === 0}
        checked={chosen > 0 && chosen === shown.length}
        onChange={event =>
          select(
            shown.map(skill => skill.id),
            event.target.checked,
          )
        }
      />
      <output>
        {shown.length === all
          ? countOf(all, 'skill', 'skills')
          : `${shown.length} of ${countOf(all, 'skill', 'skills')}`}
      </output>
    </div>
  )
}

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

type SkillFilterBarProps = { counts: Readonly<Record<Show, number>>; onLeave: () => void }

/** Search, filter and sort order. `onLeave` moves the focus into the list. */
function SkillFilterBar({ counts, onLeave }: SkillFilterBarProps): ReactNode {
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

type ShowsProps = { counts: SkillFilterBarProps['counts']; show: Show; onShow: (show: Show) => void }

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

const NONE: readonly Skill[] = []

/** Actions on all selected skills. */
function SkillBulkBar(): ReactNode {
  const selected = useSkills(skills => skills.selected)
  const select = useSkills(skills => skills.select)
  const all = useSkills(skills => skills.library?.skills ?? NONE)
  const actions = useSkillActions()
  const [bundling, setBundling] = useState(false)
  const ids = [...selected]
  if (ids.length === 0) return null
  return (
    <div role="toolbar" aria-label="Selected skills" className="skill-bulk">
      <output className="px-1 text-sm font-medium">{ids.length} selected</output>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, true)}>
        <Power size={15} />
        On
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, false)}>
        <PowerOff size={15} />
        Off
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => setBundling(true)}>
        <Boxes size={15} />
        Bundle…
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.export(ids)}>
        <Download size={15} />
        Export
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.remove(ids)}>
        <Trash2 size={15} />
        Delete
      </button>
      <IconButton small label="Clear the selection" onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
      {bundling && (
        <BundleDialog skills={all.filter(({ id }) => selected.has(id))} onClose={() => setBundling(false)} />
      )}
    </div>
  )
}
