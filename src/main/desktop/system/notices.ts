import { app, Notification } from 'electron'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { showUnseen } from '../../../shared/visible-text/show-unseen.ts'
import type { DesktopSettings } from '../../app/host-types.ts'

type Parts = {
  settings(): DesktopSettings
  /** Whether the window is in front of the user. */
  isSeen(): boolean
  /** Bring the window to the front and show the requested page. */
  open(request: WindowRequest): void
  /** Ask for attention on systems without a badge. */
  flash(): void
}

/** Notifies the user of events while the window is not in front. */
export type Notices = {
  onSession(session: Session): void
  onRemoved(id: string): void
  onProposals(open: number): void
  /** Called after a scheduled run; `content` is empty unless the user wants to see it in notifications. */
  onSchedule(ended: Extract<AppEvent, { type: 'schedule_ended' }>): void
  /** Called when the user looks at the window: clears earlier notices. */
  onSeen(): void
}

const texts = {
  waiting: 'A chat is waiting for your approval.',
  ended: 'An answer is finished.',
  scheduled: 'A schedule has run.',
  unlooked: 'A schedule answered without looking at anything.',
  notScheduled: 'A schedule could not run as planned.',
  proposals: 'A review of a chat has something for you to decide.',
}

/** Watch chats and proposals. Notifications contain no content unless the user wants titles. */
export function createNotices({ settings, isSeen, open, flash }: Parts): Notices {
  const known = new Map<string, Pick<Session, 'waiting' | 'activeRunId'>>()
  const waiting = new Set<string>()
  const ended = new Set<string>()
  /** Notifications that are garbage-collected lose their click. */
  const shown = new Set<Notification>()
  let proposals: number | undefined
  let newProposals = 0

  const showBadge = () => {
    // Windows has no number badges.
    if (process.platform !== 'win32') app.setBadgeCount(waiting.size + ended.size + newProposals)
  }
  function tell(body: string, request: WindowRequest) {
    flash()
    showBadge()
    if (!Notification.isSupported()) return
    const notification = new Notification({ title: 'Talaria', body: showUnseen(body) })
    shown.add(notification)
    notification.on('click', () => {
      shown.delete(notification)
      open(request)
    })
    notification.on('close', () => shown.delete(notification))
    notification.show()
  }
  const named = (text: string, { title }: Session) =>
    settings().notify_titles && title !== '' ? `${title}: ${text}` : text

  return {
    onSession(session) {
      const { id } = session
      const before = known.get(id)
      known.set(id, { waiting: session.waiting, activeRunId: session.activeRunId })
      const { notify_approvals, notify_answers } = settings()
      if (!session.waiting && waiting.delete(id)) showBadge()
      if (isSeen()) return
      const request: WindowRequest = { type: 'chat', id }
      if (session.waiting && before?.waiting !== true && notify_approvals) {
        waiting.add(id)
        tell(named(texts.waiting, session), request)
      }
      // Scheduled runs have their own notices.
      const isOver = before && before.activeRunId !== null && session.activeRunId === null
      if (isOver && notify_answers && session.origin !== 'schedule') {
        ended.add(id)
        tell(named(texts.ended, session), request)
      }
    },
    onRemoved(id) {
      known.delete(id)
      waiting.delete(id)
      ended.delete(id)
      showBadge()
    },
    onProposals(count) {
      const more = proposals === undefined ? 0 : count - proposals
      proposals = count
      newProposals = Math.min(newProposals, count)
      if (more > 0 && !isSeen() && settings().notify_proposals) {
        newProposals += more
        tell(texts.proposals, { type: 'page', page: 'activity', tab: null })
      } else showBadge()
    },
    onSchedule({ name, sessionId, ok, unlooked, content }) {
      if (isSeen()) return
      const text = !ok ? texts.notScheduled : unlooked ? texts.unlooked : texts.scheduled
      const named = settings().notify_titles || content !== '' ? `${name}: ${content || text}` : text
      if (sessionId !== null) ended.add(sessionId)
      tell(
        named,
        sessionId === null ? { type: 'page', page: 'schedules', tab: null } : { type: 'chat', id: sessionId },
      )
    },
    onSeen() {
      ended.clear()
      waiting.clear()
      newProposals = 0
      showBadge()
    },
  }
}
