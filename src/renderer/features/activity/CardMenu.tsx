import { Ellipsis, MessageSquare, Undo2 } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { go } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, type MenuEntry } from '../../ui/Menu.tsx'
import type { UndoMany } from './activity-state.ts'
import { undoTitles } from './UndoMany.tsx'

type Props = {
  headline: string
  reviewId: string | null
  sessionId: string | null
  messageId: number | null
  at: number
  onUndo: (what: UndoMany) => void
}

/** The source of a card, and Undo for everything from that source. */
export function CardMenu({ headline, reviewId, sessionId, messageId, at, onUndo }: Props): ReactNode {
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
              label: 'Open the chat',
              icon: <MessageSquare size={15} />,
              onSelect: () => go({ chatId: sessionId, messageId }),
            },
          ]),
      ...(reviewId === null ? [] : [undo('undo-review', undoTitles.review, { by: 'review', id: reviewId })]),
      ...(sessionId === null ? [] : [undo('undo-chat', undoTitles.chat, { by: 'chat', id: sessionId })]),
      undo('undo-since', 'Undo everything since then', { by: 'since', at }),
    ]
  }, [reviewId, sessionId, messageId, at, onUndo])
  return (
    <Menu
      label={`More for “${headline}”`}
      align="end"
      entries={entries}
      renderButton={props => (
        <IconButton small label={`More for “${headline}”`} {...props}>
          <Ellipsis size={16} />
        </IconButton>
      )}
    />
  )
}
