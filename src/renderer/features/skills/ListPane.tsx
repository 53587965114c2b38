import { useMemo, type ReactNode, type RefObject } from 'react'
import type { Skill } from '../../../shared/contract/skills.ts'
import { BulkBar } from './BulkBar.tsx'
import { FilterBar } from './FilterBar.tsx'
import { SkillList, type SkillListHandle } from './SkillList.tsx'
import { useSkills } from './skills-context.ts'
import { countsOf, listedOf, noFilters, rowsOf } from './skills-state.ts'
import { skillsText } from './strings.ts'

type Props = { list: RefObject<SkillListHandle | null> }

/** The library on the left: what is looked for, and what there is. */
export function ListPane({ list }: Props): ReactNode {
  const library = useSkills(skills => skills.library)
  const filters = useSkills(skills => skills.filters)
  const counts = useMemo(() => countsOf(listedOf(library), library?.deleted.length ?? 0), [library])
  const rows = useMemo(() => (library ? rowsOf(library, filters) : []), [library, filters])
  const shown = useMemo(() => rows.flatMap(row => (row.kind === 'skill' ? [row.skill] : [])), [rows])
  if (!library) return <output className="late p-4 text-sm text-ink-3">{skillsText.loading}</output>
  const isDeleted = filters.show === 'deleted'
  const isEmpty = counts.all === 0 && counts.deleted === 0 && rows.length === 0
  return (
    <>
      {!isEmpty && <FilterBar counts={counts} onLeave={() => list.current?.focus()} />}
      {!isEmpty && !isDeleted && <SelectAll shown={shown} all={counts.all} />}
      {rows.length === 0 ? <Nothing isEmpty={isEmpty} /> : <SkillList ref={list} rows={rows} />}
      <BulkBar />
    </>
  )
}

function Nothing({ isEmpty }: { isEmpty: boolean }) {
  const { query, show } = useSkills(skills => skills.filters)
  const filter = useSkills(skills => skills.filter)
  const text = skillsText.empty
  if (isEmpty) return <p className="p-4 text-sm text-ink-3">{text.library}</p>
  const isFiltered = query.trim() !== ''
  return (
    <div className="grid justify-items-start gap-2 p-4 text-sm text-ink-3">
      <p>{isFiltered ? text.filtered : text.shows[show]}</p>
      <button type="button" className="btn btn-secondary" onClick={() => filter(noFilters)}>
        {skillsText.filter.reset}
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
        aria-label={skillsText.bulk.all}
        title={skillsText.bulk.all}
        disabled={shown.length === 0}
        checked={chosen > 0 && chosen === shown.length}
        onChange={event =>
          select(
            shown.map(skill => skill.id),
            event.target.checked,
          )
        }
      />
      <output>{skillsText.filter.found(shown.length, all)}</output>
    </div>
  )
}
