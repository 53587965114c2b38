import { Ellipsis, RefreshCw, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useRoute } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useActivity } from './activity-context.ts'
import { keepFocus } from './card-focus.ts'
import { UndoSince } from './UndoMany.tsx'
import { useActivityActions } from './use-activity-actions.ts'

/** The page title, and the actions on everything learned. */
export function ActivityHeader({ start }: { start?: ReactNode }): ReactNode {
  const [isUndoing, setUndoing] = useState(false)
  const chatId = useRoute(route => route.chatId)
  const isEmpty = useActivity(activity => (activity.view?.items.length ?? 0) === 0)
  const { review } = useActivityActions()
  const close = () => {
    setUndoing(false)
    keepFocus()
  }
  const now = chatId === null ? 'Review now' : 'Review this chat now'
  return (
    <header>
      <div className="chat-header">
        {start}
        <h1
          tabIndex={-1}
          data-activity-title=""
          className="min-w-0 flex-1 truncate px-2 text-sm font-semibold outline-none"
        >
          Activity
        </h1>
        <button
          type="button"
          aria-label={now}
          title={now}
          className="btn btn-quiet"
          onClick={() => void review(chatId ?? undefined)}
        >
          <RefreshCw size={16} />
          <span className="hidden rail:inline">{now}</span>
        </button>
        <Menu
          label="More"
          align="end"
          entries={[
            {
              id: 'now',
              label: 'Review now',
              hint: 'Waiting reviews start when no answer is running.',
              icon: <RefreshCw size={15} />,
              onSelect: () => void review(),
            },
            {
              id: 'since',
              label: 'Undo everything since…',
              icon: <Undo2 size={15} className="rtl:-scale-x-100" />,
              danger: true,
              disabled: isEmpty,
              onSelect: () => setUndoing(true),
            },
          ]}
          renderButton={props => (
            <IconButton label="More" {...props}>
              <Ellipsis size={18} />
            </IconButton>
          )}
        />
      </div>
      {isUndoing && (
        <div className="px-5 pb-3">
          <UndoSince onClose={close} />
        </div>
      )}
    </header>
  )
}
