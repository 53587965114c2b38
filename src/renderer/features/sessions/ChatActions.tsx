import type { ReactNode } from 'react'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { useActions } from '../../use-actions.ts'
import { useSessionActions } from './session-actions.ts'

type Props = {
  session: Session
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
}

/** Offers the actions of the list for the visible chat. Renders nothing. */
export function ChatActions({ session, onOpen, onNew, onExport }: Props): ReactNode {
  const { pin, archive, remove } = useSessionActions(session, { active: true, onOpen, onNew })
  useActions({
    'chat.pin': session.pinned ? undefined : () => void pin(true),
    'chat.unpin': session.pinned ? () => void pin(false) : undefined,
    'chat.archive': session.archived ? undefined : () => void archive(true),
    'chat.unarchive': session.archived ? () => void archive(false) : undefined,
    'chat.export': session.messageCount > 0 ? () => onExport(session.id) : undefined,
    'chat.remove': () => void remove(),
  })
  return null
}
