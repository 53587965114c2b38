import { Bot, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Delegated } from '../../../../shared/contract/runs/delegation.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { goTo } from '../../../route.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { cx } from '../../../ui/style.ts'
import { standingOf } from '../../../../shared/words/sub-agent-words.ts'
import { Approvals } from '../asking/ApprovalCard.tsx'
import { currentTurn } from '../store/chat-state.ts'
import { ChatContext, useChat, useChatBeside } from '../store/open-chats.ts'
import { useAgents, useStopAgents } from './use-agents.ts'

/** The background sub-agent whose question is shown in this chat, while the chat itself asks nothing. */
function useAskingAgent(): Delegated | undefined {
  const isAsking = useChat(chat => (currentTurn(chat)?.waiting.length ?? 0) > 0)
  const asking = useAgents().find(({ background, state }) => background && state === 'asks')
  return isAsking ? undefined : asking
}

/** The question of a background sub-agent, above the message field. It can be answered here. */
export function AgentQuestion({ onAnswered }: { onAnswered: () => void }): ReactNode {
  const agent = useAskingAgent()
  return agent && <QuestionOf key={agent.sessionId} agent={agent} onAnswered={onAnswered} />
}

function QuestionOf({
  agent: { sessionId, name },
  onAnswered,
}: {
  agent: Delegated
  onAnswered: () => void
}) {
  const chat = useChatBeside(sessionId)
  return (
    <ChatContext value={chat}>
      <Approvals agent={{ sessionId, name }} onAnswered={onAnswered} />
    </ChatContext>
  )
}

/** The background sub-agents of this chat, above the message field, with a button to stop all of them. */
export function AgentsAtWork(): ReactNode {
  const stop = useStopAgents()
  const asking = useAskingAgent()
  const atWork = useAgents().filter(({ background, state }) => background && state !== 'ended')
  const [first] = atWork
  if (!first) return null
  return (
    <section
      aria-label="Sub-agents in the background"
      className="mb-2 rounded-xl border border-line bg-sunken p-1.5"
    >
      <div className="flex items-center gap-2 px-1 pb-1 text-xs text-ink-2">
        <Bot size={14} className="shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1">
          {byCount(
            atWork.length,
            'A sub-agent is working in the background',
            `${atWork.length} sub-agents are working in the background`,
          )}
        </span>
        <button
          type="button"
          className="btn btn-quiet min-h-6 text-xs text-danger"
          onClick={() => stop.all(first.parentId)}
        >
          Stop all
        </button>
      </div>
      <ul className="grid max-h-32 grid-cols-1 gap-1 overflow-y-auto">
        {atWork.map(agent => (
          <Row
            key={agent.sessionId}
            agent={agent}
            isShown={agent === asking}
            onStop={() => stop.one(agent.sessionId)}
          />
        ))}
      </ul>
    </section>
  )
}

type RowProps = {
  agent: Delegated
  /** Whether its question is shown above, so this line need not say that it is asking. */
  isShown: boolean
  onStop: () => void
}

function Row({ agent, isShown, onStop }: RowProps) {
  const { sessionId, name, state, line } = agent
  return (
    <li className="flex items-center gap-2 rounded-lg bg-canvas py-0.5 ps-2.5 pe-1 text-xs text-ink-2">
      <button
        type="button"
        className="shrink-0 font-medium text-accent hover:underline"
        onClick={() => goTo({ chatId: sessionId })}
      >
        {name}
      </button>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {showHiddenInLine(line)}
      </span>
      {state !== 'running' && !isShown && (
        <span
          className={cx(
            'shrink-0',
            state === 'asks' && 'font-medium text-warn',
            state === 'stalled' && 'text-danger',
          )}
        >
          {standingOf(agent)}
        </span>
      )}
      <IconButton small label={`Stop ${name}`} onClick={onStop}>
        <Square size={14} />
      </IconButton>
    </li>
  )
}
