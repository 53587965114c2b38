import { CalendarClock, ChevronRight } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { byCount } from '../../../shared/text/amounts.ts'
import type { ScheduleRun } from '../../../shared/contract/runs/schedules.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { goTo } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { keepValue, readKept } from '../../ui/local-storage.ts'
import { cx } from '../../ui/style.ts'
import { focusRow } from './chat-row-focus.ts'
import { RowList, type RowPlace } from './RowList.tsx'
import { ChatState } from './SessionRow.tsx'

/** The chats of one schedule, newest first, which the list shows as one row. */
type RunFold = { scheduleId: string; chats: readonly Session[] }

/** An entry of the list: a chat, or the chats of a schedule. */
export type ListEntry = Session | RunFold

/** Fold the chats of each schedule into the place of its newest one. Pinned ones stay where they are. */
export function foldRuns(sessions: readonly Session[]): ListEntry[] {
  const folds = Map.groupBy(sessions.filter(isFolded), each => each.originId)
  return sessions.flatMap((session): ListEntry[] => {
    if (!isFolded(session)) return [session]
    const chats = folds.get(session.originId)!
    return chats[0] === session ? [{ scheduleId: session.originId, chats }] : []
  })
}

const isFolded = ({ origin, originId, pinned }: Session) =>
  origin === 'schedule' && originId !== '' && !pinned

/** The number of chats of each schedule in the list, with its name. */
export function useFoldedCounts(loaded: number): (id: string) => { name: string; chats: number } | undefined {
  // Most users have no schedules.
  const answer = useAnswer('schedule.chats', {}, { isOff: loaded === 0 })
  return id => (answer?.ok ? answer.value.schedules.find(each => each.id === id) : undefined)
}

/** How many chats an open group shows at first. */
const SHOWN = 10
/** The schedules with all runs shown. A group that is unmounted and mounted again shows as many as before. */
const shownWhole = new Set<string>()
const listedOf = (id: string, chats: readonly Session[]) =>
  chats.slice(0, shownWhole.has(id) ? undefined : SHOWN)

type Props = {
  fold: RunFold
  /** Undefined while unknown. */
  counted: { name: string; chats: number } | undefined
  activeId: string | null
  /** The row of the list that Tab reaches: the id of a chat or of a schedule. */
  tabId: string | null | undefined
  place: RowPlace
  /** Renders a chat with a shorter title and its run. */
  renderRow: (
    session: Session,
    more: RowPlace & { shortTitle: string; run: ScheduleRun | undefined },
  ) => ReactNode
}

const keyOf = (id: string) => `schedule.${id}`
const OPEN = 'open'

/** The chats of one schedule in the list, below its name, which opens and closes them. */
export function ScheduleGroup({ fold, counted, activeId, tabId, place, renderRow }: Props): ReactNode {
  const { scheduleId: id, chats } = fold
  const [isOpen, setOpen] = useState(() => readKept(keyOf(id)) === OPEN)
  const [isAll, setAll] = useState(() => shownWhole.has(id))
  const load = useHost(host => host.loadGroup)
  const count = Math.max(counted?.chats ?? 0, chats.length)
  const isPartly = chats.length < count
  useEffect(() => {
    if (isOpen && isPartly) void load({ scheduleId: id })
  }, [isOpen, isPartly, id, load])
  const runOf = useRuns(isOpen ? id : null)
  const name = counted?.name || nameIn(chats[0]!)
  const shown = showHidden(name)
  const toggle = () => {
    keepValue(keyOf(id), isOpen ? '' : OPEN)
    setOpen(!isOpen)
  }
  const showAll = () => {
    // The button disappears, so the last run before it gets the focus.
    focusRow('previous')
    shownWhole.add(id)
    setAll(true)
  }
  const isHolding = (chat: string | null | undefined) => !isOpen && chats.some(each => each.id === chat)
  const busy = chats.find(each => each.waiting) ?? chats.find(each => each.activeRunId !== null)
  const listed = listedOf(id, chats)
  const tabIndex = tabId === id || isHolding(tabId) ? 0 : -1
  return (
    <li {...place}>
      <section aria-label={`Schedule ${shown}`}>
        <div className="group relative">
          <button
            type="button"
            data-row=""
            tabIndex={tabIndex}
            aria-expanded={isOpen}
            className={cx('side-item session-row', isHolding(activeId) && 'bg-active text-ink')}
            onClick={toggle}
          >
            <ChevronRight
              size={12}
              className={cx('shrink-0 transition-transform', isOpen ? 'rotate-90' : 'rtl:rotate-180')}
            />
            <span dir="auto" className="min-w-0 truncate">
              {shown}
            </span>
            <span className="shrink-0 text-xs text-ink-3">{`· ${byCount(count, '1 run', `${count} runs`)}`}</span>
            <span className="flex-1" />
            {!isOpen && busy && <ChatState session={busy} active={false} />}
          </button>
          <span className="session-menu">
            <IconButton
              small
              label={`Show the schedule “${shown}”`}
              tabIndex={tabIndex}
              onClick={() => goTo({ page: 'schedules', itemId: id })}
            >
              <CalendarClock size={16} />
            </IconButton>
          </span>
        </div>
        {isOpen && (
          <>
            <RowList
              entries={listed}
              idsOf={idsOfRun}
              renderEntry={(session, at) =>
                renderRow(session, { ...at, shortTitle: within(name, session), run: runOf(session.id) })
              }
              tabId={tabId}
              className="ms-3 border-s border-line ps-1"
            />
            {listed.length < count && !isAll && (
              <div className="ms-3 border-s border-line ps-1">
                <button
                  type="button"
                  data-row=""
                  tabIndex={-1}
                  className="side-item text-xs text-ink-3"
                  onClick={showAll}
                >
                  {`Show all ${count} runs`}
                </button>
              </div>
            )}
          </>
        )}
      </section>
    </li>
  )
}

/** The runs of a schedule by their chats; none while `id` is null or the schedule is gone. */
function useRuns(id: string | null): (chatId: string) => ScheduleRun | undefined {
  const answer = useAnswer('schedule.history', { id: id ?? '', limit: 200 }, { isOff: id === null })
  return chatId => (answer?.ok ? answer.value.runs.find(each => each.sessionId === chatId) : undefined)
}

/** The chats of a schedule that have rows: none while it is closed. */
export const shownRuns = ({ scheduleId, chats }: RunFold): string[] =>
  readKept(keyOf(scheduleId)) === OPEN ? listedOf(scheduleId, chats).map(({ id }) => id) : []

const idsOfRun = ({ id }: Session) => [id]

// The title of the chat of a run is the name of the schedule and the time.
const BETWEEN = ' · '

function nameIn({ title }: Session): string {
  const at = title.lastIndexOf(BETWEEN)
  return (at > 0 ? title.slice(0, at) : title) || 'Schedule'
}

const within = (name: string, { title }: Session): string =>
  title.startsWith(name + BETWEEN) ? title.slice(name.length + BETWEEN.length) : title
