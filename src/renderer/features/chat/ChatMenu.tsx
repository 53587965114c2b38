import {
  Archive,
  ArchiveRestore,
  Download,
  Ellipsis,
  PenLine,
  Pin,
  PinOff,
  Printer,
  SlidersHorizontal,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { actionText, menuLabel, type ActionId } from '../../action-table.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useAllActions } from '../../use-actions.ts'
import { useSession } from './store/open-chats.ts'

const label = 'More for this chat'

/** All possible entries of the menu, in order. */
const OFFERED: readonly (readonly [ActionId, LucideIcon])[] = [
  ['chat.settings', SlidersHorizontal],
  ['chat.rename', PenLine],
  ['chat.pin', Pin],
  ['chat.unpin', PinOff],
  ['chat.archive', Archive],
  ['chat.unarchive', ArchiveRestore],
  ['chat.export', Download],
  ['chat.print', Printer],
  ['chat.remove', Trash2],
]

/** The menu in the header of the open chat: its settings, and the actions of its row in the list. */
export function ChatMenu(): ReactNode {
  const actions = useAllActions()
  const session = useSession()
  const hasMessages = (session?.messageCount ?? 0) > 0
  const listed = session?.temporary ? undefined : session
  const fits: Partial<Record<ActionId, boolean | undefined>> = {
    'chat.settings': true,
    'chat.rename': session !== undefined,
    'chat.pin': listed?.pinned === false,
    'chat.unpin': listed?.pinned,
    'chat.archive': listed?.archived === false,
    'chat.unarchive': listed?.archived,
    'chat.export': hasMessages,
    'chat.print': hasMessages,
    'chat.remove': listed !== undefined,
  }
  return (
    <Menu
      label={label}
      align="end"
      entries={OFFERED.filter(([id]) => fits[id]).map(([id, Sign]) => ({
        id,
        label: menuLabel(id),
        icon: <Sign size={16} />,
        danger: actionText(id).danger === true,
        onSelect: () => void actions?.now().get(id)?.(),
      }))}
      renderButton={props => (
        <IconButton label={label} {...props}>
          <Ellipsis size={18} />
        </IconButton>
      )}
    />
  )
}
