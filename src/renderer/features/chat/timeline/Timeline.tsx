import { showUnseen } from '../../../../shared/visible-text/show-unseen.ts'
import { Clock, GitBranch, Minimize2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { ChatTurn } from '../../../../shared/contract/chats/finding.ts'
import type { Compaction } from '../../../../shared/contract/chats/session.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { goTo } from '../../../route.ts'
import { useActions } from '../../../use-actions.ts'
import { BareDialog, makeWay } from '../../../ui/Dialog.tsx'
import { countOf, formatDay } from '../../../ui/text/format-values.ts'
import { Highlight } from '../../../ui/text/InlineText.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { PickList, type Pick } from '../../../ui/PickList.tsx'
import { foldQuery, foldText } from '../../../ui/text/rank-matches.ts'
import { versionsOf } from '../branches/chat-branches.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'

/** The button that shows the timeline of a chat, once it has one. */
export function TimelineButton(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const sessionId = useChat(chat => chat.sessionId)
  const hasBegun = useChat(chat => chat.messages.length > 0)
  const isThere = hasBegun && sessionId !== null
  const open = () => {
    if (!isOpen && makeWay()) setOpen(true)
  }
  useActions({ 'chat.timeline': isThere ? open : undefined })
  if (!isThere) return null
  return (
    <>
      <IconButton label="Timeline of this chat" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Clock size={18} />
      </IconButton>
      {isOpen && <Timeline sessionId={sessionId} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The questions of a chat by day, with its compactions between them. Choosing one goes there. */
function Timeline({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const { view } = useOpenChat()
  const [query, setQuery] = useState('')
  const answer = useAnswer('chat.turns', { sessionId }, { isOnce: true })
  const compactions = useChat(chat => chat.compactions)
  const branches = useChat(chat => chat.branches)
  const [topId] = useState(() => view.place?.topId() ?? 0)
  const turns = useMemo(() => (answer?.ok ? answer.value.turns : []), [answer])
  const steps = useMemo(() => stepsOf(turns, compactions), [turns, compactions])
  const groups = useMemo(() => {
    const words = foldQuery(query)
    const fits = steps.filter(({ folded }) => words.every(word => folded.includes(word)))
    return [...Map.groupBy(fits, ({ at }) => formatDay(at))].map(([title, of]) => ({
      title,
      picks: of.map(step => ({
        id: step.id,
        step,
        icon: step.compaction ? <Minimize2 size={16} /> : <Clock size={16} />,
        text: <Highlight text={step.text} query={query} />,
        end: (
          <>
            {versionsOf(branches, step.messageId).length > 1 && (
              <span className="me-2 inline-flex items-center gap-1">
                <GitBranch size={12} aria-hidden="true" />
                {countOf(versionsOf(branches, step.messageId).length, 'version', 'versions')}
              </span>
            )}
            {timeOf(step.at)}
          </>
        ),
      })),
    }))
  }, [steps, branches, query])
  const here = steps.findLast(step => step.messageId <= topId && !step.compaction)

  return (
    <BareDialog label="Timeline of this chat" className="palette" onClose={onClose}>
      <PickList<Pick & { step: Step }>
        // Once loaded, the list starts at the reading position.
        key={answer ? 'read' : 'empty'}
        label="Timeline of this chat"
        hint="Words from a question"
        query={query}
        onQuery={setQuery}
        groups={groups}
        startId={here?.id}
        onPick={({ step }) => {
          onClose()
          requestAnimationFrame(() => goTo({ chatId: sessionId, messageId: step.messageId }))
        }}
        empty={
          answer?.ok === false
            ? answer.fault.message
            : answer
              ? 'No question contains these words.'
              : 'Reading…'
        }
        renderFooter={() => (
          <span>{`${countOf(turns.length, 'question', 'questions')} in this chat. Enter goes to the chosen one.`}</span>
        )}
      />
    </BareDialog>
  )
}

type Step = { id: string; messageId: number; at: number; text: string; folded: string; compaction: boolean }

/** Questions and compactions in the order of the chat. */
function stepsOf(turns: readonly ChatTurn[], compactions: readonly Compaction[]): Step[] {
  const step = (of: Omit<Step, 'folded'>): Step => ({ ...of, folded: foldText(of.text).text })
  return [
    ...turns.map(({ messageId, at, text }) =>
      step({
        id: `turn ${messageId}`,
        messageId,
        at,
        text: showUnseen(text) || 'A message without text',
        compaction: false,
      }),
    ),
    ...compactions
      .filter(({ by }) => by !== 'pruning')
      .map(({ id, upToId, at }) =>
        step({
          id: `compaction ${id}`,
          messageId: upToId,
          at,
          text: 'Earlier messages were summarised',
          compaction: true,
        }),
      ),
  ].toSorted((a, b) => a.messageId - b.messageId || Number(a.compaction) - Number(b.compaction))
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const timeOf = (at: number) => clock.format(at)
