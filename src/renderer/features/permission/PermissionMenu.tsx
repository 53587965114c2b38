import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import { menuLabel } from '../../action-table.ts'
import { Menu } from '../../ui/Menu.tsx'
import { cx } from '../../ui/style.ts'

const modes = {
  chat_only: { name: menuLabel('mode.chat_only'), hint: 'No tools at all.' },
  ask: {
    name: menuLabel('mode.ask'),
    hint: 'Talaria asks before everything except reading in the working folder.',
  },
  reads: {
    name: menuLabel('mode.reads'),
    hint: 'Safe read-only commands run at once. Talaria asks before the rest.',
  },
  full: {
    name: menuLabel('mode.full'),
    hint: 'Talaria never asks. Only calls that could wreck the system are blocked, and a skill that looks dangerous waits on the Activity page.',
  },
  none: {
    name: 'Deny',
    hint: 'Talaria denies whatever it would ask about, including a new skill.',
  },
}

/** Modes offered to the user. `none` is for unattended chats. */
const offered: readonly ApprovalMode[] = ['chat_only', 'ask', 'reads', 'full']

type Props = {
  mode: ApprovalMode
  onChange: (mode: ApprovalMode) => void
}

/** The menu at the message field for what may run without approval in this chat. Changes apply at once. */
export function PermissionMenu({ mode, onChange }: Props): ReactNode {
  const { name } = modes[mode]
  const isFull = mode === 'full'
  const Sign = isFull ? ShieldAlert : mode === 'ask' ? ShieldCheck : Shield
  return (
    <Menu
      label="What may run without asking"
      side="above"
      entries={offered.map(each => ({
        id: each,
        label: modes[each].name,
        hint: modes[each].hint,
        checked: each === mode,
        danger: each === 'full',
        onSelect: () => onChange(each),
      }))}
      renderButton={props => (
        <button
          type="button"
          aria-label={`Permissions: ${name}`}
          title={`Permissions: ${name}`}
          className={cx('btn btn-quiet min-w-0 px-2', isFull && 'text-danger')}
          {...props}
        >
          <Sign size={16} className="shrink-0" />
          <span className={cx('truncate text-xs font-normal', !isFull && 'hidden rail:inline')}>{name}</span>
        </button>
      )}
    />
  )
}
