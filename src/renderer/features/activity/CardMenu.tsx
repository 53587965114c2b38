import { Ellipsis, MessageSquare, Undo2 } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { go } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, type MenuEntry } from '../../ui/Menu.tsx'
import type { UndoMany } from './activity-state.ts'
import { activityText } from './strings.ts'

type Props = {
  headline: string
  reviewId: string | null
  sessionId: string | null
  messageId: number | null
  at: number
  onUndo: (what: UndoMany) => void
}

/** Where a card comes from, and how to take back all that came from there. */
export function CardMenu({ headline, reviewId, sessionId, messageId, at, onUndo }: Props): ReactNode {
  const text = activityText.undoMany
  const entries = useMemo(() => {
    const undo = (id: string, label: string, what: UndoMany): MenuEntry => ({
      id,
      label,
      icon: <Undo2 size={15} className="rtl:-scale-x-100" />,
      danger: true,
      onSelect: () => onUndo(what),
    })
    return [
      ...(sessionId === null
        ? []
        : [
            {
              id: 'chat',
              label: activityText.openChat,
              icon: <MessageSquare size={15} />,
              onSelect: () => go({ chatId: sessionId, messageId }),
            },
          ]),
      ...(reviewId === null ? [] : [undo('undo-review', text.review, { by: 'review', id: reviewId })]),
      ...(sessionId === null ? [] : [undo('undo-chat', text.chat, { by: 'chat', id: sessionId })]),
      undo('undo-since', text.sinceThis, { by: 'since', at }),
    ]
  }, [reviewId, sessionId, messageId, at, onUndo, text])
  return (
    <Menu
      label={activityText.moreOf(headline)}
      align="end"
      entries={entries}
      renderButton={props => (
        <IconButton small label={activityText.moreOf(headline)} {...props}>
          <Ellipsis size={16} />
        </IconButton>
      )}
    />
  )
}
