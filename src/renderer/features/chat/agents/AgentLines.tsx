import { ArrowLeft, Bot, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { goTo } from '../../../route.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat, useSession } from '../store/open-chats.ts'
import { standingOf } from '../../../../shared/words/sub-agent-words.ts'
import { useAgents } from './use-agents.ts'

/** The line above a sub-agent's messages: which chat it works for, with a button to stop it. */
export function ParentLine(): ReactNode {
  const session = useSession()
  const { client } = useLink()
  const parent = useHost(host => (session?.parentId ? host.sessions[session.parentId] : undefined))
  if (session?.origin !== 'sub_agent' || session.parentId === null) return null
  const { parentId, activeRunId } = session
  return (
    <div className="column flex w-full items-center gap-2 py-1.5 text-xs text-ink-2">
      <Bot size={14} className="shrink-0 text-ink-3" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {`This sub-agent works for “${showHidden(parent?.title || 'another chat')}”. It was told only what its first message says.`}
      </span>
      {activeRunId !== null && (
        <button
          type="button"
          className="inline-flex shrink-0 items-center gap-1 font-medium text-accent hover:underline"
          onClick={() => void attemptCall(client['run.stop']({ runId: activeRunId })).then(tellTrouble)}
        >
          <Square size={12} /> Stop
        </button>
      )}
      <button
        type="button"
        className="inline-flex shrink-0 items-center gap-1 font-medium text-accent hover:underline"
        onClick={() => goTo({ chatId: parentId })}
      >
        <ArrowLeft size={14} /> Back to that chat
      </button>
    </div>
  )
}

/**
 * The results of background sub-agents, above the message field. The card starts no turn and is hidden while
 * the user types; the results are sent with the next message.
 */
export function ReportCard(): ReactNode {
  const writing = useChat(chat => chat.draft !== '')
  const agents = useAgents()
  const untold = agents.filter(each => !each.told && (each.background || each.end === 'unknown'))
  if (untold.length === 0 || writing || untold.some(each => each.state !== 'ended')) return null
  return (
    <section aria-label="Sub-agents have ended" className="tool-card mb-2 p-3 text-sm">
      <h2 className="flex items-center gap-2 font-medium">
        <Bot size={16} className="shrink-0 text-ink-3" />
        {byCount(untold.length, 'A sub-agent has ended', `${untold.length} sub-agents have ended`)}
      </h2>
      <ul className="mt-1 grid gap-0.5 text-ink-2">
        {untold.map(agent => (
          <li key={agent.sessionId} dir="auto" className="min-w-0 truncate">
            <button
              type="button"
              className="font-medium text-accent hover:underline"
              onClick={() => goTo({ chatId: agent.sessionId })}
            >
              {agent.name}
            </button>
            {agent.end !== 'done' && ` (${standingOf(agent)})`} {showHidden(agent.line)}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-xs text-ink-3">Their results are sent with your next message.</p>
    </section>
  )
}
