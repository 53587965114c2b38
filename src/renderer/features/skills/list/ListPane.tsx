import { Search, Boxes, Download, Power, PowerOff, Trash2 } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import type { Skill } from '../../../../shared/contract/learned/skills.ts'
import { goTo } from '../../../route.ts'
import { countOf, formatCount } from '../../../ui/text/format-values.ts'
import { MANY } from '../../../ui/style.ts'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { Select } from '../../../ui/fields/Choice.tsx'
import { BundleDialog, Bundles } from '../Bundles.tsx'
import { SkillSwitches } from '../SkillsHeader.tsx'
import { SkillList, type SkillListHandle } from './SkillList.tsx'
import { useLibrary, useSkills, useSkillActions } from '../use-skills.ts'
import { countsOf, listedOf, noFilters, rowsOf, type Show, type Sort } from '../skills-state.ts'

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
  const library = useLibrary()
  const filters = useSkills(skills => skills.filters)
  const counts = useMemo(() => countsOf(listedOf(library), library?.deleted.length ?? 0), [library])
  const rows = useMemo(() => (library ? rowsOf(library, filters) : []), [library, filters])
  const shown = useMemo(() => rows.flatMap(row => (row.kind === 'skill' ? [row.skill] : [])), [rows])
  if (!library) return <output className="late p-4 text-sm text-ink-3">Loading skills…</output>
  const isDeleted = filters.show === 'deleted'
  const isEmpty = counts.all === 0 && counts.deleted === 0 && rows.length === 0
  // A short list needs no filters, except that deleted skills appear only with a filter.
  const isLong = counts.all >= MANY || counts.deleted > 0 || filters !== noFilters
  return (
    <>
      {!isEmpty && isLong && <SkillFilterBar counts={counts} onLeave={() => list.current?.focus()} />}
      {!isEmpty && !isDeleted && <Bundles />}
      {!isEmpty && !isDeleted && isLong && <SelectAll shown={shown} all={counts.all} />}
      {rows.length === 0 ? <Nothing isEmpty={isEmpty} /> : <SkillList ref={list} rows={rows} />}
      <SkillBulkBar />
      <SkillSwitches />
    </>
  )
}

function Nothing({ isEmpty }: { isEmpty: boolean }) {
  const { query, show } = useSkills(skills => skills.filters)
  const filter = useSkills(skills => skills.filter)
  if (isEmpty)
    return (
      <div className="grid justify-items-start gap-2 p-4 text-sm text-ink-3">
        <p>
          There are no skills yet. Import one, let the agent write down how it did something, or write one.
        </p>
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => goTo({ page: 'skills', tab: 'new' })}
        >
          Write a skill
        </button>
      </div>
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
  const sort = useSkills(skills => skills.filters.sort)
  const filter = useSkills(skills => skills.filter)
  const chosen = shown.filter(skill => selected.has(skill.id)).length
  return (
    <div className="flex min-h-7 items-center gap-2.5 px-4 text-xs text-ink-3">
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
      <Select
        label="Order"
        className="quiet-select ms-auto"
        value={sort}
        options={(Object.keys(SORTS) as Sort[]).map(value => ({ value, label: SORTS[value] }))}
        onChange={sort => filter({ sort })}
      />
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

/** Search, and which skills are listed. `onLeave` moves the focus into the list. */
function SkillFilterBar({ counts, onLeave }: SkillFilterBarProps): ReactNode {
  const filters = useSkills(skills => skills.filters)
  const filter = useSkills(skills => skills.filter)
  const shows = (Object.keys(SHOWS) as Show[]).filter(
    each => each === 'all' || each === filters.show || counts[each] > 0,
  )
  return (
    <div className="flex gap-2 px-3 pt-1 pb-2">
      <SearchField query={filters.query} onQuery={query => filter({ query })} onLeave={onLeave} />
      <Select
        label="Which skills"
        className="w-36 shrink-0"
        value={filters.show}
        options={shows.map(value => ({ value, label: `${SHOWS[value]} ${formatCount(counts[value])}` }))}
        onChange={show => filter({ show })}
      />
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
      <Search size={16} className="pointer-events-none absolute start-2.5 text-ink-2" />
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
            <Icon name="close" size={14} />
          </IconButton>
        </span>
      )}
    </div>
  )
}

const NONE: readonly Skill[] = []

/** Actions on all selected skills. */
function SkillBulkBar(): ReactNode {
  const selected = useSkills(skills => skills.selected)
  const select = useSkills(skills => skills.select)
  const all = useLibrary()?.skills ?? NONE
  const actions = useSkillActions()
  const [bundling, setBundling] = useState(false)
  const ids = [...selected]
  if (ids.length === 0) return null
  return (
    <div role="toolbar" aria-label="Selected skills" className="skill-bulk">
      <output className="px-1 text-sm font-medium">{`${ids.length} selected`}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, true)}>
        <Power size={16} />
        On
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, false)}>
        <PowerOff size={16} />
        Off
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => setBundling(true)}>
        <Boxes size={16} />
        Bundle…
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.export(ids)}>
        <Download size={16} />
        Export
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.remove(ids)}>
        <Trash2 size={16} />
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
