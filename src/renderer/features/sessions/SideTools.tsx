import { Archive, CircleQuestionMark, PanelLeftClose, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { actionText, type ActionId } from '../../action-table.ts'
import type { Page } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { keyText } from '../../ui/keyboard/keys.ts'
import { cx } from '../../ui/style.ts'
import { DeletedLink } from './deleted/DeletedChats.tsx'

export type SideToolsProps = {
  page: Page
  onSettings: () => void
  onHelp: () => void
  /** Open the deleted chats. */
  onDeleted: () => void
  /** Collapse the sidebar to icons; absent if the sidebar is a drawer over the page. */
  onFold?: (() => void) | undefined
}

/** The last row of the sidebar: less used actions, as icons. */
export function SideTools(props: SideToolsProps & { isArchive: boolean; onArchive: () => void }): ReactNode {
  const { page, isArchive, onArchive, onSettings, onHelp, onDeleted, onFold } = props
  const isSettings = page === 'settings'
  const isHelp = page === 'help'
  return (
    <div className="flex shrink-0 items-center gap-0.5 px-3.5 pb-2">
      <IconButton
        label="Settings"
        title={titleOf('Settings', 'settings.open')}
        aria-current={isSettings ? 'page' : undefined}
        className={cx(isSettings && 'bg-active text-ink')}
        onClick={onSettings}
      >
        <Settings size={16} />
      </IconButton>
      <IconButton
        label="Help"
        title={titleOf('Help', 'help.open')}
        aria-current={isHelp ? 'page' : undefined}
        className={cx(isHelp && 'bg-active text-ink')}
        onClick={onHelp}
      >
        <CircleQuestionMark size={16} />
      </IconButton>
      <IconButton
        label="Archived"
        title="Archived chats"
        aria-pressed={isArchive}
        className={cx(isArchive && 'bg-active text-ink')}
        onClick={onArchive}
      >
        <Archive size={16} />
      </IconButton>
      <DeletedLink onClick={onDeleted} />
      <span className="flex-1" />
      {onFold && (
        <IconButton
          label="Collapse the sidebar"
          title={titleOf('Collapse the sidebar', 'sidebar.fold')}
          data-fold=""
          onClick={onFold}
        >
          <PanelLeftClose size={16} className="rtl:-scale-x-100" />
        </IconButton>
      )}
    </div>
  )
}

/** The tooltip of a button: its name and its shortcut. */
export function titleOf(label: string, id: ActionId): string {
  const { keys } = actionText(id)
  return keys === undefined ? label : `${label} (${keyText(keys)})`
}
