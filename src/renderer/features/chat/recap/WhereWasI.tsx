import { Bookmark } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { Recap } from '../../../../shared/contract/chats/finding.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { countOf, formatWhen } from '../../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import { latestPlan } from '../calls/Plan.tsx'

/** How long the user must be away before the recap is shown, in ms. */
const AWAY_MS = 20 * 3_600_000
/** How long a chat must be in view to count as seen, in ms. */
const SEEN_MS = 1_000

/**
 * A card for a user who returns to a chat after a day: when they left, the last question and answer, what is
 * open and which files changed. It goes away with its close button or the next message.
 */
export function WhereWasI(): ReactNode {
  const { view, store } = useOpenChat()
  const { client } = useLink()
  const sessionId = useChat(chat => chat.sessionId)
  const isReady = useChat(chat => chat.phase === 'ready')
  const draft = useChat(chat => chat.draft.trim() !== '')
  const messages = useChat(chat => chat.messages)
  const queued = useChat(chat => chat.queue.length)
  const pending = useChat(chat => chat.pending)
  const isFinding = useChat(chat => chat.finding !== null)
  const [recap, setRecap] = useState<Recap | null>(null)
  const [isDismissed, setDismissed] = useState(false)

  const arrive = useEffectEvent((found: Recap) => {
    if (found.unreadId !== null && view.following && view.cache === undefined) {
      // Show the first unread message, unless the user has navigated elsewhere.
      void store.getState().show(found.unreadId)
    }
    if (found.seenAt !== null && Date.now() - found.seenAt > AWAY_MS) setRecap(found)
  })
  useEffect(() => {
    if (sessionId === null || !isReady) return undefined
    const over = new AbortController()
    void attemptCall(client['chat.recap']({ sessionId }, { signal: over.signal })).then(answer => {
      if (answer.ok && !over.signal.aborted) arrive(answer.value)
    })
    return () => over.abort()
  }, [client, sessionId, isReady])
  useSeen(sessionId, recap !== null || isReady)

  if (!recap || isDismissed || isFinding || pending !== null) return null
  const { question, answer, files, seenAt } = recap
  const steps = latestPlan(messages).filter(({ state }) => state === 'open' || state === 'doing')
  const open = [
    ...(steps.length > 0 ? [countOf(steps.length, 'step of the plan', 'steps of the plan')] : []),
    ...(draft ? ['a draft'] : []),
    ...(queued > 0 ? [countOf(queued, 'waiting message', 'waiting messages')] : []),
  ]
  return (
    <aside aria-label="Where you were" className="column w-full pt-2">
      <div className="recap">
        <Bookmark size={16} className="mt-0.5 shrink-0 text-ink-3" />
        <dl className="recap-facts">
          <div>
            <dt>You were here</dt>
            <dd>{formatWhen(seenAt ?? 0)}</dd>
          </div>
          {question && <Fact name="You asked" text={question.text} messageId={question.messageId} />}
          {answer && <Fact name="The answer" text={answer.text} messageId={answer.messageId} />}
          {open.length > 0 && (
            <div>
              <dt>Open</dt>
              <dd>{open.join(', ')}</dd>
            </div>
          )}
          {files.length > 0 && (
            <div>
              <dt>Changed</dt>
              <dd dir="ltr" className="truncate" title={files.map(showHiddenInLine).join('\n')}>
                {files.map(showHiddenInLine).join(', ')}
              </dd>
            </div>
          )}
        </dl>
        <IconButton small label="Close this summary" onClick={() => setDismissed(true)}>
          <Icon name="close" size={14} />
        </IconButton>
      </div>
    </aside>
  )
}

function Fact({ name, text, messageId }: { name: string; text: string; messageId: number }) {
  const show = useChat(chat => chat.show)
  return (
    <div>
      <dt>{name}</dt>
      <dd className="min-w-0">
        <button type="button" dir="auto" className="recap-jump" onClick={() => void show(messageId)}>
          {showHiddenInLine(text)}
        </button>
      </dd>
    </div>
  )
}

/** Reports the newest message to the host as seen, once the page was in view for a moment. */
function useSeen(sessionId: string | null, isShown: boolean) {
  const { client } = useLink()
  const last = useChat(chat => chat.messages.at(-1)?.id ?? 0)
  useEffect(() => {
    if (sessionId === null || !isShown || last === 0) return undefined
    const see = () => {
      if (!document.hidden) void attemptCall(client['chat.seen']({ sessionId, messageId: last }))
    }
    const timer = setTimeout(see, SEEN_MS)
    document.addEventListener('visibilitychange', see)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', see)
    }
  }, [client, sessionId, isShown, last])
}
