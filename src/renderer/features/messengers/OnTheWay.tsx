import type { ReactNode } from 'react'
import type { GatewayGroup, GatewayItem } from '../../../shared/contract/connections/gateway.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useHostCall } from '../../use-host-call.ts'
import { Switch } from '../../ui/fields/Choice.tsx'
import { formatWhen, oneLine } from '../../ui/text/format-values.ts'
import { cx } from '../../ui/style.ts'

const STATES: Record<GatewayItem['state'], { label: string; look: string }> = {
  new: { label: 'Waiting for an answer', look: '' },
  waiting: { label: 'Waiting to be sent', look: '' },
  asks: { label: 'Old: asks first', look: 'text-warn' },
  sending: { label: 'Being sent', look: 'text-accent' },
  unsure: { label: 'May have arrived', look: 'text-warn' },
  failed: { label: 'Not sent', look: 'text-danger' },
}

type ItemsProps = { items: readonly GatewayItem[]; onOpenChat: (id: string) => void }

/** Messages that were not answered or delivered yet, each with the reason. */
export function OnTheWay({ items, onOpenChat }: ItemsProps): ReactNode {
  const act = useHostCall()
  const decide = ({ way, id }: GatewayItem, what: 'again' | 'drop') =>
    void act(client => client['gateway.item']({ way, id, what }))
  return (
    <section aria-labelledby="way-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="way-heading" className="text-sm font-semibold">
        On the way
      </h2>
      <ul aria-labelledby="way-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {items.map(item => {
          const { label, look } = STATES[item.state]
          const { sessionId } = item
          const about = oneLine(showHidden(item.beginning), 60)
          return (
            <li key={`${item.way}${item.id}`} className="model-card grid gap-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {about}
                </span>
                <span className={cx('badge', look)}>{label}</span>
              </p>
              <p className="text-xs wrap-anywhere text-ink-3">
                {[
                  `${item.way === 'in' ? 'from' : 'to'} ${showHidden(item.place)}`,
                  formatWhen(item.at),
                  ...(item.problem === '' ? [] : [showHidden(item.problem)]),
                ].join(' · ')}
              </p>
              <div className="flex flex-wrap gap-1.5">
                {sessionId !== null && (
                  <button
                    type="button"
                    aria-label={`Open the chat of “${about}”`}
                    className="btn btn-quiet"
                    onClick={() => onOpenChat(sessionId)}
                  >
                    Open the chat
                  </button>
                )}
                {['asks', 'unsure', 'failed'].includes(item.state) && (
                  <>
                    <button
                      type="button"
                      aria-label={`${againOf(item)}: “${about}”`}
                      className="btn btn-quiet"
                      onClick={() => decide(item, 'again')}
                    >
                      {againOf(item)}
                    </button>
                    <button
                      type="button"
                      aria-label={`Drop “${about}”`}
                      className="btn btn-quiet"
                      onClick={() => decide(item, 'drop')}
                    >
                      Drop
                    </button>
                  </>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const againOf = ({ way }: GatewayItem) => (way === 'in' ? 'Answer it now' : 'Send again')

type GroupsProps = { groups: readonly GatewayGroup[]; onOpenChat: (id: string) => void }

/** Groups in which a contact wrote to the agent. The agent says nothing there until it is allowed. */
export function Groups({ groups, onOpenChat }: GroupsProps): ReactNode {
  const act = useHostCall()
  return (
    <section aria-labelledby="groups-heading" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="groups-heading" className="text-sm font-semibold">
        Groups
      </h2>
      {groups.map(({ platform, placeKey, title, allowed, lastAt, sessionId }) => (
        <Switch
          key={`${platform} ${placeKey}`}
          label={showHidden(title)}
          hint={`Last asked ${formatWhen(lastAt)}. It answers paired people who mention it. It treats what others write there as text from strangers, and remembers nothing from there.`}
          on={allowed}
          onChange={next =>
            void act(client => client['gateway.allowGroup']({ platform, placeKey, allowed: next }))
          }
        >
          {sessionId !== null && (
            <button
              type="button"
              aria-label={`Open the chat of ${showHidden(title)}`}
              className="btn btn-quiet mt-1"
              onClick={() => onOpenChat(sessionId)}
            >
              Open the chat
            </button>
          )}
        </Switch>
      ))}
    </section>
  )
}
