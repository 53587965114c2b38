import { Circle, CircleCheck, CircleDot, CircleMinus, ListTodo } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { readPlan, type PlanStep } from '../../../../shared/plan-steps.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { useKept } from '../../../ui/row-state.tsx'
import { cx } from '../../../ui/style.ts'
import { isBusy } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'

const looks = {
  open: { Icon: Circle, says: 'Open', tone: 'text-ink-3', line: '' },
  doing: { Icon: CircleDot, says: 'In progress', tone: 'text-accent', line: 'font-medium' },
  done: { Icon: CircleCheck, says: 'Done', tone: 'text-good', line: 'text-ink-2' },
  dropped: { Icon: CircleMinus, says: 'Dropped', tone: 'text-ink-3', line: 'text-ink-3 line-through' },
}

/** The steps of a plan with their states. */
export function PlanList({ steps }: { steps: readonly PlanStep[] }): ReactNode {
  return (
    <ol className="grid gap-1 text-sm">
      {steps.map(({ state, text }, at) => {
        const { Icon, says, tone, line } = looks[state]
        return (
          // oxlint-disable-next-line react/no-array-index-key -- steps have no identity beyond their place
          <li key={at} className="flex items-start gap-2">
            <span title={says} className={cx('mt-0.5 shrink-0', tone)}>
              <Icon size={16} />
            </span>
            <span className="sr-only">{says}:</span>
            <span dir="auto" className={cx('min-w-0 break-words', line)}>
              {showHidden(text)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** The plan of the running turn, above the message field: one line that expands to all steps. */
export function PlanLine(): ReactNode {
  const busy = useChat(isBusy)
  const messages = useChat(chat => chat.messages)
  const steps = useMemo(() => latestPlan(messages), [messages])
  const [open, setOpen] = useKept('plan', false)
  if (!busy || steps.length === 0) return null
  const done = steps.filter(({ state }) => state === 'done').length
  const current = steps.find(({ state }) => state === 'doing')
  return (
    <section aria-label="Plan" className="mb-2">
      <Disclosure
        className="tool-card"
        open={open}
        onToggle={() => setOpen(!open)}
        line={
          <>
            <ListTodo size={16} className="shrink-0 text-ink-3" />
            <span className="shrink-0 tabular-nums">{`${done} of ${steps.length}`}</span>
            <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
              {showHidden(current?.text ?? '')}
            </span>
          </>
        }
      >
        <div className="plan-steps">
          <PlanList steps={steps} />
        </div>
      </Disclosure>
    </section>
  )
}

/** The steps of the newest plan in the newest turn. Plans of earlier turns are ignored. */
export function latestPlan(messages: readonly Message[]): PlanStep[] {
  const asked = messages.findLastIndex(message => message.role === 'user' && !message.steered)
  const newest = messages
    .slice(asked + 1)
    .findLast(message => message.role === 'tool' && message.name === 'todo' && message.ok)
  return newest ? readPlan(newest.text) : []
}
