import { CircleAlert, ShieldAlert } from 'lucide-react'
import { memo, type KeyboardEvent, type ReactNode } from 'react'
import type { Skill } from '../../../shared/contract/skills.ts'
import { go } from '../../route.ts'
import { cx } from '../../ui/style.ts'
import { formatCount } from '../../ui/format.ts'
import { Highlight } from '../../ui/InlineText.tsx'
import { isKey } from '../../ui/keys.ts'
import { OriginBadge, usesInWords } from './Badges.tsx'
import { useSkills } from './skills-context.ts'
import { isOn } from './skills-state.ts'
import { NO_DESCRIPTION } from './skill-words.ts'
import { useSkillActions } from './use-skill-actions.ts'

type Props = {
  skill: Skill
  selected: boolean
  /** Whether the skill is open in the detail view. */
  opened: boolean
  inTabOrder: boolean
}

/** One skill. Enter or a click opens it, Space on its checkbox selects it, Delete deletes it. */
export const SkillRow = memo(function SkillRow(props: Props): ReactNode {
  const { skill, selected, opened, inTabOrder } = props
  const select = useSkills(skills => skills.select)
  const query = useSkills(skills => skills.filters.query)
  const { remove, setEnabled } = useSkillActions()
  const tabIndex = inTabOrder ? 0 : -1
  const on = isOn(skill)
  const open = () => go({ page: 'skills', skillId: skill.id })

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'delete')) return
    event.preventDefault()
    void remove([skill.id])
  }
  const toggle = () => {
    void setEnabled([skill.id], !on)
    // The detail view shows the findings, which the user has to read first.
    if (skill.blocked !== null) open()
  }

  return (
    <div className={cx('skill-row', selected && 'skill-row-selected', opened && 'skill-row-opened')}>
      <input
        type="checkbox"
        className="check mt-1"
        tabIndex={tabIndex}
        aria-label={`Select ${skill.name}`}
        checked={selected}
        onChange={event => select([skill.id], event.target.checked)}
      />
      <button
        type="button"
        data-skill={skill.id}
        tabIndex={tabIndex}
        aria-current={opened ? 'true' : undefined}
        className="skill-open"
        onClick={open}
        onKeyDown={onKeyDown}
      >
        <span className="flex min-w-0 items-center gap-2">
          <span className={cx('truncate text-sm font-medium', !on && 'text-ink-2')}>
            <Highlight text={skill.name} query={query} />
          </span>
          <OriginBadge origin={skill.origin} />
        </span>
        <span dir="auto" className="block truncate text-xs text-ink-2">
          {skill.description === '' ? NO_DESCRIPTION : <Highlight text={skill.description} query={query} />}
        </span>
        <span className="block truncate text-2xs text-ink-3">
          {usesInWords(skill)} · {formatCount(skill.tokens)} tokens
        </span>
        <State skill={skill} />
      </button>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-label={`${skill.name}: on`}
        tabIndex={tabIndex}
        className="switch"
        onClick={toggle}
      />
    </div>
  )
})

/** The most important part of the skill's state, as text. */
function State({ skill }: { skill: Skill }) {
  const { blocked, unavailable, shadowedBy, attention } = skill
  if (blocked !== null) {
    return (
      <span className="flex items-center gap-1 text-2xs text-danger">
        <ShieldAlert size={12} className="shrink-0" />
        Blocked
      </span>
    )
  }
  const said =
    unavailable !== null
      ? 'Not available here'
      : shadowedBy !== null
        ? 'Another one is used'
        : attention.length > 0
          ? 'Needs attention'
          : null
  if (said === null) return null
  return (
    <span className="flex items-center gap-1 text-2xs text-warn">
      <CircleAlert size={12} className="shrink-0" />
      {said}
    </span>
  )
}
