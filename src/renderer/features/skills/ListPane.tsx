import { useMemo, type ReactNode, type RefObject } from 'react'
import type { Skill } from '../../../shared/contract/skills.ts'
import { SkillBulkBar } from './SkillBulkBar.tsx'
import { SkillFilterBar } from './SkillFilterBar.tsx'
import { SkillList, type SkillListHandle } from './SkillList.tsx'
import { useSkills } from './skills-context.ts'
import { countsOf, listedOf, noFilters, rowsOf } from './skills-state.ts'
import { countOf } from '../../ui/format.ts'

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
