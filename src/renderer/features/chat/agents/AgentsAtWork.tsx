import { Bot, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Delegated } from '../../../../shared/contract/delegation.ts'
import { byCount } from '../../../../shared/amounts.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { goTo } from '../../../route.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { cx } from '../../../ui/style.ts'
import { standingOf } from '../../../../shared/agent-standing.ts'
import { useAgents, useStopAgents } from './use-agents.ts'

/** Above the message field: the sub-agents of this chat that work in the background, and a stop for all of them. */
export function AgentsAtWork(): ReactNode {
  const stop = useStopAgents()
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
            'A sub-agent works in the background',
            `${atWork.length} sub-agents work in the background`,
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
          <Row key={agent.sessionId} agent={agent} onStop={() => stop.one(agent.sessionId)} />
        ))}
      </ul>
    </section>
  )
}

function Row({ agent, onStop }: { agent: Delegated; onStop: () => void }) {
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
      {state !== 'running' && (
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
        <Square size={13} />
      </IconButton>
    </li>
  )
}
