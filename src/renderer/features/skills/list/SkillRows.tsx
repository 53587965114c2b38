import { CircleAlert, ShieldAlert, Folder } from 'lucide-react'
import { memo, type KeyboardEvent, type ReactNode, useState } from 'react'
import type { Skill, SkillFolder, SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import { goTo } from '../../../route.ts'
import { cx } from '../../../ui/style.ts'
import { formatCount, countOf } from '../../../ui/text/format-values.ts'
import { Highlight, When } from '../../../ui/text/InlineText.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { OriginBadge, PinnedBadge, usesInWords, NO_DESCRIPTION } from '../skill-labels.tsx'
import { useSkills, useSkillActions } from '../use-skills.ts'
import { isOn, needsKey } from '../skills-state.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { byCount } from '../../../../shared/text/amounts.ts'

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
  const open = () => goTo({ page: 'skills', skillId: skill.id })

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
          {skill.pinned && <PinnedBadge />}
        </span>
        <span dir="auto" className="block truncate text-xs text-ink-2">
          {skill.description === '' ? NO_DESCRIPTION : <Highlight text={skill.description} query={query} />}
        </span>
        <span className="flex items-center gap-2 text-2xs">
          <span className="min-w-0 truncate text-ink-3">{`${usesInWords(skill)} · ${formatCount(skill.tokens)} tokens`}</span>
          <State skill={skill} />
        </span>
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

/**
 * The most important part of the skill's state, as text. It shares a line, because it may arrive after the rest, and a new
 * line would move the rows below.
 */
function State({ skill }: { skill: Skill }) {
  const { blocked, unavailable, shadowedBy, attention } = skill
  if (blocked !== null) {
    return (
      <span className="flex shrink-0 items-center gap-1 text-danger">
        <ShieldAlert size={12} className="shrink-0" />
        Blocked
      </span>
    )
  }
  const said =
    unavailable !== null
      ? (needsKey(skill) ?? 'Not available here')
      : shadowedBy !== null
        ? 'Another skill is used'
        : attention.length > 0
          ? 'Needs attention'
          : null
  if (said === null) return null
  return (
    <span className="flex max-w-3/5 shrink-0 items-center gap-1 text-warn">
      <CircleAlert size={12} className="shrink-0" />
      <span className="truncate">{said}</span>
    </span>
  )
}

const DELETED_BY = {
  you: 'Deleted by you',
  agent: 'Deleted by the agent',
  review: 'Deleted by a review',
  import: 'Deleted by an import',
} as const

/** A project folder, with the choice whether its chats use its skills. */
export function FolderRow({ folder }: { folder: SkillFolder }): ReactNode {
  const [asks, setAsks] = useState(false)
  const { trust } = useSkillActions()
  const { folder: path, trusted, skills } = folder
  return (
    <div className="skill-folder">
      <Folder size={16} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <h2 dir="ltr" className="truncate text-start text-xs font-semibold" title={path}>
          {showHidden(path)}
        </h2>
        <p className="text-xs text-ink-3">
          {trusted
            ? skills === 0
              ? 'Trusted. There are no skills in it at the moment.'
              : byCount(
                  skills,
                  'Trusted. Chats that work here can use the skill.',
                  `Trusted. Chats that work here can use ${formatCount(skills)} skills.`,
                )
            : `${countOf(skills, 'skill', 'skills')} here. Chats only use skills from folders that you trust.`}
        </p>
        <button
          type="button"
          aria-label={trusted ? `Stop trusting ${path}` : `Trust this folder… ${path}`}
          className="link-btn text-xs"
          onClick={() => (trusted ? void trust(path, false) : setAsks(true))}
        >
          {trusted ? 'Stop trusting' : 'Trust this folder…'}
        </button>
      </div>
      {asks && <TrustDialog folder={folder} onClose={() => setAsks(false)} />}
    </div>
  )
}

function TrustDialog({ folder, onClose }: { folder: SkillFolder; onClose: () => void }) {
  const { trust } = useSkillActions()
  return (
    <Dialog title="Trust this folder?" closeLabel="Close" onClose={onClose}>
      <p dir="ltr" className="mb-3 font-mono text-xs break-all">
        {showHidden(folder.folder)}
      </p>
      <p className="text-sm text-ink-2">
        {byCount(
          folder.skills,
          'Chats that work in this folder may then use the skill in it, including any added later. Skills that the scan finds dangerous stay blocked until you accept them.',
          `Chats that work in this folder may then use the ${formatCount(folder.skills)} skills in it, including any added later. Skills that the scan finds dangerous stay blocked until you accept them.`,
        )}
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            onClose()
            void trust(folder.folder, true)
          }}
        >
          Trust this folder
        </button>
      </div>
    </Dialog>
  )
}

/** A deleted skill, with a restore button. */
export function DeletedRow({ revision }: { revision: SkillRevision }): ReactNode {
  const { bringBack } = useSkillActions()
  const { name, actor, at, note } = revision
  return (
    <div className="skill-row">
      <div className="min-w-0 flex-1 px-1.5">
        <p className="truncate text-sm font-medium">{showHidden(name)}</p>
        <p className="text-xs text-ink-3">
          {DELETED_BY[actor]} · <When at={at} />
        </p>
        {note !== '' && (
          <p dir="auto" className="line-clamp-2 text-xs text-ink-2">
            {note}
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label={`Restore ${name}`}
        className="btn btn-secondary self-center"
        onClick={() => void bringBack(revision)}
      >
        Restore
      </button>
    </div>
  )
}
