import { FilePlus, PenLine, Sparkles, Trash2, Undo2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { Skill, SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import { goTo } from '../../../route.ts'
import { useKept } from '../../../ui/row-state.tsx'
import { cx } from '../../../ui/style.ts'
import { TextDiff } from '../../../ui/text/TextDiff.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import type { UsedSkill } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'
import { presentSkill, useKnownSkills } from '../composer/known-skills.ts'
import { lineCounts, skillVerb } from './changes-by-turn.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

const whatChanged = (name: string, short: string) => `What changed in ${name}: ${short}`

type Props = { used: readonly UsedSkill[]; revisions: readonly SkillRevision[] }

/** The skills that a turn loaded and changed, with Undo and a link to each skill. */
export function SkillsRow({ used, revisions }: Props): ReactNode {
  const skills = useKnownSkills()
  return (
    <ul aria-label="Skills in this turn" className="flex flex-wrap gap-1.5 py-1.5">
      {used.map(skill => (
        <li key={skill.name} className="max-w-full min-w-0">
          <Used name={skill.name} present={presentSkill(skills, skill)} />
        </li>
      ))}
      {revisions.map(revision => (
        <Change
          key={revision.id}
          revision={revision}
          present={presentSkill(skills, { key: revision.key, name: revision.name })}
        />
      ))}
    </ul>
  )
}

function Used({ name, present }: { name: string; present: Skill | undefined }) {
  const says = (
    <>
      <Sparkles size={14} className="shrink-0" />
      <span dir="auto" className="truncate pe-1.5">
        {`Used the skill ${showHidden(present?.name ?? name)}`}
      </span>
    </>
  )
  if (!present) return <span className="chip text-ink-3">{says}</span>
  return (
    <button
      type="button"
      title={`See the skill ${present.name}`}
      className="chip text-ink-3 hover:text-ink"
      onClick={() => goTo({ page: 'skills', skillId: present.id })}
    >
      {says}
    </button>
  )
}

const signs: Partial<Record<SkillRevision['op'], typeof Sparkles>> = {
  create: FilePlus,
  delete: Trash2,
  edit: PenLine,
}

function Change({ revision, present }: { revision: SkillRevision; present: Skill | undefined }) {
  const { id, name, op, undoneBy, files } = revision
  const undoSkillChange = useChat(chat => chat.undoSkillChange)
  const [busy, setBusy] = useState(false)
  const [open, setOpen] = useKept(`skill-change:${id}`, false)
  const undone = undoneBy !== null
  const hasDiff = op !== 'create' && op !== 'delete' && files.length > 0
  const change = async () => {
    setBusy(true)
    const changed = await undoSkillChange(undoneBy ?? id)
    setBusy(false)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  const Sign = undone ? Undo2 : (signs[op] ?? Sparkles)
  return (
    <li className={cx('max-w-full min-w-0', hasDiff && open && 'w-full')}>
      <div className="chip">
        <Sign size={14} className="shrink-0 text-ink-3" />
        <span dir="auto" className={cx('truncate', undone && 'text-ink-3')}>
          {undone ? 'Undone' : skillVerb(op)}
          {': '}
          <span className={cx(undone && 'line-through')}>{showHidden(name)}</span>
        </span>
        {hasDiff && <WhatChanged revision={revision} open={open} onToggle={() => setOpen(!open)} />}
        <button
          type="button"
          disabled={busy}
          aria-label={undone ? `Redo: ${skillVerb(op)}: ${name}` : `Undo: ${skillVerb(op)}: ${name}`}
          className="chip-btn"
          onClick={() => void change()}
        >
          {undone ? 'Redo' : 'Undo'}
        </button>
        {present && (
          <button
            type="button"
            aria-label={`View the skill ${name}`}
            className="chip-btn"
            onClick={() => goTo({ page: 'skills', skillId: present.id })}
          >
            View
          </button>
        )}
      </div>
      {hasDiff && open && <Diffs revision={revision} />}
    </li>
  )
}

type ChangedProps = { revision: SkillRevision; open: boolean; onToggle: () => void }

/** A short status that expands to the full text. */
function WhatChanged({ revision, open, onToggle }: ChangedProps) {
  const { name, note, files } = revision
  const { added, removed } = useMemo(() => lineCounts(revision), [revision])
  const lines = `+${formatCount(added)} −${formatCount(removed)}`
  const short = note || (files.length > 1 ? `${formatCount(files.length)} files ${lines}` : lines)
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={whatChanged(name, short)}
      title={whatChanged(name, short)}
      className="chip-btn max-w-60 min-w-14 shrink-[9] truncate tabular-nums"
      onClick={onToggle}
    >
      <span dir="auto">{showHidden(short)}</span>
    </button>
  )
}

/** Every file of a change, line by line. */
function Diffs({ revision: { files } }: { revision: SkillRevision }) {
  return (
    <ul className="mt-1.5 mb-1 grid gap-2">
      {files.map(({ path, before, after, binary }) => (
        <li key={path} className="min-w-0">
          <p dir="ltr" className="mb-1 px-1 text-start font-mono text-2xs break-all text-ink-3">
            {showHidden(path)}
          </p>
          {binary ? (
            <p className="px-1 text-sm text-ink-3">This file is binary, so its changes cannot be shown.</p>
          ) : (
            <TextDiff
              label={`What changed in ${path}`}
              before={before ?? ''}
              after={after ?? ''}
              className="max-h-72"
            />
          )}
        </li>
      ))}
    </ul>
  )
}
