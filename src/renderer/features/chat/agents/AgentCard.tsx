import { Bot, ExternalLink, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Delegated } from '../../../../shared/contract/runs/delegation.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { goTo } from '../../../route.ts'
import { useKept } from '../../../ui/row-state.tsx'
import { countOf, formatCount } from '../../../ui/text/format-values.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/style.ts'
import { ToolDetail } from '../calls/CallDetail.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import type { Card } from '../calls/tool-calls.ts'
import { standingOf } from '../../../../shared/words/sub-agent-words.ts'
import { useAgents, useStopAgents } from './use-agents.ts'

/** A call of `delegate`: what the sub-agent is doing now, with buttons to open its chat and stop it. */
export function AgentCard({ card }: { card: Card }): ReactNode {
  // Undefined until the sub-agent has started.
  const agent = useAgents().find(each => each.callId === card.call.id)
  const [open, setOpen] = useKept(card.key, false)
  const stop = useStopAgents()
  const given = card.call.arguments['goal']
  const goal = typeof given === 'string' ? given : ''
  const isOver = agent ? agent.state === 'ended' : card.result !== undefined
  // The state of a background sub-agent is shown above the message field instead.
  const isElsewhere = agent?.background === true && !isOver
  const state = isElsewhere ? 'in the background' : agent ? standingOf(agent) : isOver ? '' : 'begins'
  const isBad = agent?.end != null && agent.end !== 'done'
  const name = agent?.name ?? 'sub-agent'
  return (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      className={cx('tool-card', agent?.state === 'asks' && !isElsewhere && 'border-warn-line')}
      line={
        <>
          <Bot size={16} className="shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate text-ink">
              <span className="font-medium">{name}</span>
              {`: ${showHidden(goal.replaceAll(/\s+/g, ' '))}`}
            </span>
            {agent && agent.line !== '' && (
              <span dir="auto" className="block truncate text-xs text-ink-3">
                {showHidden(agent.line)}
              </span>
            )}
          </span>
          <span
            className={cx(
              'flex shrink-0 items-center gap-1.5 text-xs',
              isBad || (agent?.state === 'stalled' && !isElsewhere)
                ? 'text-danger'
                : agent?.state === 'asks' && !isElsewhere
                  ? 'font-medium text-warn'
                  : 'text-ink-3',
            )}
          >
            {agent?.state === 'running' && <Spinner size={12} />}
            {agent?.state === 'asks' && !isElsewhere && (
              <span aria-hidden="true" className="pulse size-2 rounded-full bg-warn" />
            )}
            {state}
          </span>
        </>
      }
      beside={
        agent && (
          <span className="flex shrink-0 items-center">
            {!isOver && (
              <IconButton small label={`Stop only ${name}`} onClick={() => stop.one(agent.sessionId)}>
                <Square size={14} />
              </IconButton>
            )}
            <IconButton
              small
              label={`Open the chat of ${name}`}
              onClick={() => goTo({ chatId: agent.sessionId })}
            >
              <ExternalLink size={14} />
            </IconButton>
          </span>
        )
      }
    >
      <div className="grid gap-3 border-t border-line p-3">
        {agent && <p className="text-xs text-ink-3 tabular-nums">{usedBy(agent)}</p>}
        <ToolDetail card={card} />
      </div>
    </Disclosure>
  )
}

/** The usage of a sub-agent, and of its whole turn unless Talaria quit during it. */
function usedBy({ steps, tokens, end, pool }: Delegated): string {
  const own = `${countOf(steps, 'step', 'steps')}, ${countOf(tokens, 'token', 'tokens')}.`
  if (end === 'unknown') return own
  const all = `${formatCount(pool.steps)} of ${formatCount(pool.mostSteps)} steps, ${formatCount(pool.tokens)} of ${formatCount(pool.mostTokens)} tokens`
  return `${own} All sub-agents of this answer: ${all}.`
}
