import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalMode } from '../../../shared/contract/session.ts'
import { cx } from '../../ui/cx.ts'
import { Menu } from '../../ui/Menu.tsx'
import type { PopoverButton } from '../../ui/Popover.tsx'
import { permissionText } from './strings.ts'

/** Modes that a person chooses; `none` is for chats that nobody sits at. */
const offered: readonly ApprovalMode[] = ['chat_only', 'ask', 'reads', 'full']

type Props = {
  mode: ApprovalMode
  onChange: (mode: ApprovalMode) => void
  side?: 'below' | 'above'
  /** Draws the button; without it, the one of the page header. */
  renderButton?: (props: PopoverButton, name: string) => ReactNode
}

/** What may run without a question in this chat; a change counts at once. */
export function PermissionMenu({ mode, onChange, side = 'below', renderButton }: Props): ReactNode {
  const { name } = permissionText.modes[mode]
  const Sign = mode === 'full' ? ShieldAlert : mode === 'ask' ? ShieldCheck : Shield
  return (
    <Menu
      label={permissionText.label}
      align="end"
      side={side}
      entries={offered.map(each => ({
        id: each,
        label: permissionText.modes[each].name,
        hint: permissionText.modes[each].hint,
        checked: each === mode,
        danger: each === 'full',
        onSelect: () => onChange(each),
      }))}
      renderButton={props =>
        renderButton ? (
          renderButton(props, name)
        ) : (
          <button
            type="button"
            aria-label={permissionText.button(name)}
            title={permissionText.button(name)}
            className={cx('pill', mode === 'full' && 'text-danger')}
            {...props}
          >
            <Sign size={15} className="shrink-0" />
            <span className="hidden truncate rail:inline">{name}</span>
          </button>
        )
      }
    />
  )
}
