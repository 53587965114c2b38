import { MessageSquare, Sparkle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { useChat, useModel, useSession, useWorkspace } from './store/open-chats.ts'
import { EngineLine } from './EngineLine.tsx'
import { ideasFor } from './start-ideas.ts'
import { TourStarters } from './tour/TourCards.tsx'
import { useTourOver } from './tour/tour.ts'

/** The sentence above the message field of a chat without messages. */
export function StartTitle(): ReactNode {
  return (
    <div className="flex min-h-0 flex-1 basis-0 flex-col justify-end overflow-hidden px-5 pb-6">
      <h2 className="text-center text-xl font-semibold tracking-tight">What can I do for you?</h2>
    </div>
  )
}

/** An explanation of temporary chats, shown in place of ideas that need memory. */
const TEMPORARY =
  'This chat starts without your memory and earlier chats. Nothing in it is learned, searched or backed up.'

type Props = {
  /** Whether the list of chats is beside the page. */
  isListShown: boolean
  onOpenChat: (id: string) => void
  onAddModel: () => void
  /** Called when a starter was sent, before its button disappears. */
  onStarted: () => void
}

/** The content below the field of an empty chat: ideas, the model, and recent chats if not listed. */
export function StartIdeas({ isListShown, onOpenChat, onAddModel, onStarted }: Props): ReactNode {
  const isDemo = useModel()?.demo ?? false
  const isTourOver = useTourOver()
  const isTemporary = useSession()?.temporary === true
  return (
    <div className="min-h-0 flex-[1.25] basis-0 overflow-y-auto">
      <div className="column grid gap-4 py-2">
        {isTemporary && <p className="px-3 text-sm text-ink-2">{TEMPORARY}</p>}
        {isDemo && !isTourOver && !isTemporary ? (
          <TourStarters onStarted={onStarted} />
        ) : (
          <Ideas isTemporary={isTemporary} onStarted={onStarted} />
        )}
        <EngineLine onAddModel={onAddModel} />
        {!isListShown && !isTemporary && <LastChats onOpenChat={onOpenChat} />}
      </div>
    </div>
  )
}

/** Things to try. An idea that needs the user's own words goes into the message field. */
function Ideas({ isTemporary, onStarted }: Pick<Props, 'onStarted'> & { isTemporary: boolean }) {
  const send = useChat(chat => chat.send)
  const setDraft = useChat(chat => chat.setDraft)
  const isDemo = useModel()?.demo ?? false
  const folder = useWorkspace()
  const files = useAnswer('attachment.folder', { folder }, { isBrief: true, isOff: folder === '' })
  const memory = useAnswer('memory.view', {}, { by: 'start' })
  if (!files || !memory) return null
  const ideas = ideasFor({
    isDemo,
    isTemporary,
    hasFiles: files.ok && files.value.hasFiles,
    hasMemory: memory.ok && memory.value.entries.some(({ target }) => target === 'user'),
  })
  if (ideas.length === 0) return null
  return (
    <ul aria-label="Things to try" className="grid">
      {ideas.map(({ text, begin }) => (
        <li key={text}>
          <button
            type="button"
            className="starter"
            onClick={() => {
              if (begin !== undefined) setDraft(begin)
              onStarted()
              if (begin === undefined) void send(text)
            }}
          >
            <Sparkle size={16} className="shrink-0 text-ink-3" />
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The newest chats, if the list of chats is not beside the page. */
function LastChats({ onOpenChat }: { onOpenChat: (id: string) => void }) {
  const sessions = useHost(host => host.sessions)
  const last = Object.values(sessions)
    .filter(session => session.messageCount > 0 && !session.archived)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, 3)
  if (last.length === 0) return null
  return (
    <section>
      <h3 className="px-3 text-xs text-ink-3">Recent chats</h3>
      <ul>
        {last.map(session => (
          <li key={session.id}>
            <button type="button" className="starter" onClick={() => onOpenChat(session.id)}>
              <MessageSquare size={16} className="shrink-0 text-ink-3" />
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
