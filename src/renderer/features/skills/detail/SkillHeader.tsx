import {
  Copy,
  Download,
  Ellipsis,
  MessageSquarePlus,
  Pin,
  PinOff,
  RefreshCw,
  RotateCcw,
  Trash2,
} from 'lucide-react'
import { useState, type ReactNode, type Ref } from 'react'
import type { Skill, SkillDetail, SkillSource } from '../../../../shared/contract/learned/skills.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Menu, type MenuEntry } from '../../../ui/Menu.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { OriginBadge, PinnedBadge } from '../skill-labels.tsx'
import { UpdateDialog } from '../import/UpdateDialog.tsx'
import { SmallSwitch } from '../SkillsHeader.tsx'
import { useTry, useSkillActions } from '../use-skills.ts'
import { isOn } from '../skills-state.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

const SOURCES = {
  folder: 'From the folder',
  zip: 'From the archive',
  git: 'From',
  text: 'From pasted text',
} as const

type Props = {
  skill: Skill
  detail: SkillDetail
  heading: Ref<HTMLHeadingElement>
}

/** The name, origin and actions of a skill. */
export function SkillHeader({ skill, detail, heading }: Props): ReactNode {
  const { setEnabled } = useSkillActions()
  const onTry = useTry()
  const [updating, setUpdating] = useState(false)
  const entries = useSkillMenu(skill, () => setUpdating(true))
  const label = `More for ${skill.name}`
  return (
    <header className="grid gap-1 px-5 pt-4 pb-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 text-lg font-semibold break-words outline-none">
          {skill.category !== '' && <span className="font-normal text-ink-3">{skill.category}/</span>}
          {showHidden(skill.name)}
        </h2>
        <OriginBadge origin={skill.origin} />
        {skill.pinned && <PinnedBadge />}
        <span className="flex flex-1 items-center justify-end gap-1">
          {skill.blocked === null && (
            <SmallSwitch
              label="On"
              hint="New chats can use it"
              on={isOn(skill)}
              onChange={on => void setEnabled([skill.id], on)}
            />
          )}
          {onTry && skill.blocked === null && (
            <button type="button" className="btn btn-quiet" onClick={() => onTry(skill)}>
              <MessageSquarePlus size={16} />
              Try it
            </button>
          )}
          <Menu
            label={label}
            align="end"
            entries={entries}
            renderButton={props => (
              <IconButton label={label} title="More" {...props}>
                <Ellipsis size={18} />
              </IconButton>
            )}
          />
        </span>
      </div>
      {skill.source && <Source source={skill.source} />}
      <p className="text-xs text-ink-3">
        {placeElements('Stored in {folder}', {
          folder: (
            <span dir="ltr" className="font-mono break-all">
              {showHidden(detail.folder)}
            </span>
          ),
        })}
      </p>
      {updating && <UpdateDialog id={skill.id} onClose={() => setUpdating(false)} />}
    </header>
  )
}

/** Source address, exact version and licence of an imported skill. */
function Source({ source }: { source: SkillSource }) {
  const { kind, address, within, commit, licence, importedAt } = source
  const url = kind === 'git' ? URL.parse(address) : null
  const link = url && /^https?:$/u.test(url.protocol) ? url.href : undefined
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-ink-3">
      <span>
        {SOURCES[kind]}{' '}
        {kind !== 'text' &&
          (link === undefined ? (
            <span className="font-mono break-all text-ink-2">{address}</span>
          ) : (
            <a href={link} target="_blank" rel="noreferrer" className="link-btn break-all">
              {address}
            </a>
          ))}
      </span>
      {within !== '' && <span>{`in ${within}`}</span>}
      {commit !== null && <span title={commit}>{`at commit ${commit.slice(0, 10)}`}</span>}
      <span>{licence === null ? 'No licence given' : `Licence: ${licence}`}</span>
      <span>{placeElements('imported {when}', { when: <When at={importedAt} /> })}</span>
    </p>
  )
}

/** Menu of one skill. `onUpdate` checks its source for updates. */
function useSkillMenu(skill: Skill, onUpdate: () => void): readonly MenuEntry[] {
  const actions = useSkillActions()
  const onTry = useTry()
  /** The reason the skill cannot be deleted; undefined if it can. */
  const keptBy =
    skill.origin === 'builtin' && !skill.isEdited
      ? 'It came with Talaria. Switch it off instead.'
      : skill.pinned
        ? 'It is pinned. Unpin it first.'
        : undefined
  const entries: readonly (MenuEntry | false)[] = [
    onTry !== undefined &&
      skill.blocked === null && {
        id: 'try',
        label: 'Try it in a new chat',
        icon: <MessageSquarePlus size={16} />,
        onSelect: () => onTry(skill),
      },
    {
      id: 'export',
      label: 'Export as zip',
      icon: <Download size={16} />,
      onSelect: () => void actions.export([skill.id]),
    },
    {
      id: 'duplicate',
      label: 'Duplicate',
      icon: <Copy size={16} />,
      onSelect: () => void actions.duplicate(skill),
    },
    skill.source !== null &&
      skill.source.kind !== 'text' && {
        id: 'update',
        label: 'Check for updates',
        icon: <RefreshCw size={16} />,
        onSelect: onUpdate,
      },
    skill.isEdited && {
      id: 'reset',
      label: 'Reset to original',
      icon: <RotateCcw size={16} />,
      onSelect: () => void actions.reset(skill.id),
    },
    {
      id: 'pin',
      label: skill.pinned ? 'Unpin' : 'Pin',
      icon: skill.pinned ? <PinOff size={16} /> : <Pin size={16} />,
      onSelect: () => void actions.setPinned(skill.id, !skill.pinned),
    },
    {
      id: 'delete',
      label: 'Delete',
      icon: <Trash2 size={16} />,
      danger: keptBy === undefined,
      disabled: keptBy !== undefined,
      ...(keptBy !== undefined && { hint: keptBy }),
      onSelect: () => void actions.remove([skill.id]),
    },
  ]
  return entries.filter(entry => entry !== false)
}
