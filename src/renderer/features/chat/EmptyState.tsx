import { MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session } from '../../../shared/contract/session.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useChat, useModel } from './chats.ts'
import { EngineLine } from './EngineLine.tsx'
import { TourStarters } from './tour/TourCards.tsx'

const starters = [
  {
    label: 'Remember how I like answers',
    begin: 'Remember that I like answers to be short and in plain words.',
  },
  { label: 'Make a skill from this', begin: 'Make a skill from this: ' },
  { label: 'What can you do without a network?', begin: '' },
] as const

type Props = {
  onOpenChat: (id: string) => void
  onAddModel: () => void
  /** Called when a starter was sent, before its button disappears. */
  onStarted: () => void
}

/** A chat without messages: starters, recent chats and the model that answers. */
export function EmptyState({ onOpenChat, onAddModel, onStarted }: Props): ReactNode {
  const isDemo = useModel()?.demo ?? false
  return (
    <div className="transcript">
      <div className="column flex min-h-full flex-col justify-center gap-6 py-10">
        <h2 className="text-center text-xl font-semibold tracking-tight">What can I do for you?</h2>
        {isDemo ? <TourStarters onStarted={onStarted} /> : <Starters onStarted={onStarted} />}
        <EngineLine onAddModel={onAddModel} />
        <LastChats onOpenChat={onOpenChat} />
      </div>
    </div>
  )
}

/** Three starters. One that needs the user's own words goes into the message field. */
function Starters({ onStarted }: Pick<Props, 'onStarted'>) {
  const send = useChat(chat => chat.send)
  const setDraft = useChat(chat => chat.setDraft)
  return (
    <ul aria-label="Ideas to start with" className="flex flex-wrap justify-center gap-2">
      {starters.map(({ label, begin }) => (
        <li key={label}>
          <button
            type="button"
            className="starter"
            onClick={() => {
              if (begin !== '') setDraft(begin)
              onStarted()
              if (begin === '') void send(label)
            }}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}

function LastChats({ onOpenChat }: { onOpenChat: (id: string) => void }) {
  const sessions = useHost(host => host.sessions)
  const last = Object.values(sessions)
    .filter(session => session.messageCount > 0)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, 3)
  if (last.length === 0) return null
  return (
    <section className="mx-auto w-full max-w-md">
      <h3 className="mb-1 px-3 text-xs font-medium text-ink-3">Last chats</h3>
      <ul>
        {last.map(session => (
          <li key={session.id}>
            <button type="button" className="menu-item" onClick={() => onOpenChat(session.id)}>
              <MessageSquare size={15} className="shrink-0 text-ink-3" />
              <span dir="auto" className="truncate">
                {titleOf(session)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const titleOf = (session: Session) => showTitle(session.title)
