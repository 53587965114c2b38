import { MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session } from '../../../shared/contract/session.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useChat } from './chats.ts'
import { useModel } from './session.ts'
import { chatText } from './strings.ts'

type Props = {
  onOpenChat: (id: string) => void
  onAddModel: () => void
  /** A starter was sent, and its button is about to go. */
  onStarted: () => void
}

/** A chat without messages: ways to begin, the last chats, and what answers here. */
export function EmptyState({ onOpenChat, onAddModel, onStarted }: Props): ReactNode {
  const send = useChat(chat => chat.send)
  const { empty } = chatText
  return (
    <div className="transcript">
      <div className="column flex min-h-full flex-col justify-center gap-6 py-10">
        <h2 className="text-center text-xl font-semibold tracking-tight">{empty.title}</h2>
        <ul aria-label={empty.startersLabel} className="flex flex-wrap justify-center gap-2">
          {empty.starters.map(starter => (
            <li key={starter}>
              <button
                type="button"
                className="starter"
                onClick={() => {
                  onStarted()
                  void send(starter)
                }}
              >
                {starter}
              </button>
            </li>
          ))}
        </ul>
        <EngineLine onAddModel={onAddModel} />
        <LastChats onOpenChat={onOpenChat} />
      </div>
    </div>
  )
}

/** Which model answers, whether it is ready, and where what is written goes. */
function EngineLine({ onAddModel }: { onAddModel: () => void }) {
  const model = useModel()
  const engine = useHost(host => host.engine)
  const { empty } = chatText
  if (!model) return <p className="text-center text-sm text-ink-3">{empty.noModel}</p>
  const local = model.kind !== 'server'
  const phase = engine.modelId === model.id || engine.phase === 'failed' ? engine.phase : 'stopped'
  return (
    <div className="mx-auto grid max-w-lg gap-2 text-center text-sm text-balance text-ink-3">
      {model.demo && (
        <p className="text-ink-2">
          {empty.demo}{' '}
          <button
            type="button"
            className="font-medium text-accent hover:underline"
            onClick={() => onAddModel()}
          >
            {empty.addModel}
          </button>
        </p>
      )}
      {phase === 'failed' ? (
        <p className="text-danger">
          {engine.error} {engine.fix}
        </p>
      ) : (
        <p>
          {local && `${empty.engine[phase]} `}
          {local ? empty.local : empty.remote(model.name)}
        </p>
      )}
    </div>
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
      <h3 className="mb-1 px-3 text-xs font-medium text-ink-3">{chatText.empty.lastChats}</h3>
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

const titleOf = (session: Session) => session.title || chatText.newChat
