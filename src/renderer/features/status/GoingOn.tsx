import { Download, GraduationCap, MessageSquare, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { byCount } from '../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { goTo } from '../../route.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { isMoving, incomingShare } from '../../rpc/host-state.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { useTransfers } from '../../rpc/use-lists.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { formatShare } from '../../ui/text/format-values.ts'

type Props = {
  /** The chat on the page, whose answer is seen there; null on other pages. */
  shownChat: string | null
  onOpenChat: (id: string) => void
  onDownloads: () => void
  /** The background processes, which belong to another feature; null while none runs. */
  processes: ReactNode
}

/** A line at the bottom of every page while something is in progress, with buttons to show or stop it. */
export function GoingOn({ shownChat, onOpenChat, onDownloads, processes }: Props): ReactNode {
  const loading = useLoading()
  const writing = useWriting(shownChat, onOpenChat)
  const review = useReview()
  const download = useDownload(onDownloads)
  const items = { loading, writing, review, download, processes }
  if (Object.values(items).every(item => item === null)) return null
  return (
    <footer aria-label="What is going on" className="going-on">
      {loading}
      {writing}
      {download}
      {review}
      {processes}
    </footer>
  )
}

/** Returns a function that awaits a request and shows its failure. */
function useAsk(): (asked: Promise<unknown>) => void {
  return asked =>
    void attemptCall(asked).then(outcome => {
      if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
    })
}

type ItemProps = {
  sign: ReactNode
  text: string
  /** Opens the page or chat where the activity belongs. */
  onShow?: () => void
  stop?: { label: string; run: () => void } | undefined
}

function Item({ sign, text, onShow, stop }: ItemProps) {
  return (
    <div className="flex max-w-full min-w-0 items-center">
      {onShow ? (
        <button type="button" className="status-item" onClick={onShow}>
          {sign}
          <span dir="auto" className="truncate">
            {text}
          </span>
        </button>
      ) : (
        <p className="inline-flex min-h-6 min-w-0 items-center gap-1.5 px-2 text-xs text-ink-2">
          {sign}
          <span dir="auto" className="truncate">
            {text}
          </span>
        </p>
      )}
      {stop && (
        <IconButton small label={stop.label} onClick={stop.run}>
          <Square size={12} />
        </IconButton>
      )}
    </div>
  )
}

/** The model that is being loaded. */
function useLoading(): ReactNode {
  const { phase, progress, modelName } = useHost(host => host.engine)
  const { client } = useLink()
  const ask = useAsk()
  if (phase !== 'loading' && phase !== 'starting') return null
  const name = showHiddenInLine(modelName || 'the model')
  const text =
    phase === 'starting'
      ? 'The engine is starting…'
      : progress === null
        ? `Loading ${name}…`
        : `Loading ${name}: ${formatShare(progress)}`
  return (
    <Item
      sign={<Spinner size={12} />}
      text={text}
      stop={{ label: `Stop loading ${name}`, run: () => ask(client['model.cancelLoad']({})) }}
    />
  )
}

/** The chats that are being answered, other than the one on the page. */
function useWriting(shownChat: string | null, onOpenChat: (id: string) => void): ReactNode {
  const sessions = useHost(host => host.sessions)
  const { client } = useLink()
  const ask = useAsk()
  const written = Object.values(sessions).filter(session => isWritten(session, sessions, shownChat))
  const [first] = written
  if (!first) return null
  const stopOf = ({ activeRunId }: Session) => ask(client['run.stop']({ runId: activeRunId ?? '' }))
  if (written.length === 1) {
    const title = titleOf(first)
    return (
      <Item
        sign={<MessageSquare size={14} className="shrink-0" />}
        text={first.waiting ? `“${title}” is waiting for you` : `“${title}” is being answered`}
        onShow={() => onOpenChat(first.id)}
        stop={{ label: `Stop the answer in “${title}”`, run: () => stopOf(first) }}
      />
    )
  }
  return (
    <Popover
      label="Chats that are being answered"
      side="above"
      className="w-88 max-w-[calc(100vw-1rem)]"
      renderButton={props => (
        <button type="button" className="status-item" {...props}>
          <MessageSquare size={14} className="shrink-0" />
          <span className="truncate">{`${written.length} chats are being answered`}</span>
        </button>
      )}
    >
      {close => (
        <ul aria-label="Chats that are being answered" className="grid gap-0.5">
          {written.map(session => (
            <li key={session.id} className="flex items-center">
              <button
                type="button"
                className="menu-item min-w-0 flex-1"
                onClick={() => {
                  close()
                  onOpenChat(session.id)
                }}
              >
                <span dir="auto" className="truncate">
                  {titleOf(session)}
                </span>
                {session.waiting && <span className="badge shrink-0">waiting for you</span>}
              </button>
              <IconButton
                small
                label={`Stop the answer in “${titleOf(session)}”`}
                onClick={() => stopOf(session)}
              >
                <Square size={12} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}

const titleOf = ({ title }: Session) => showTitle(title || 'New chat')

/**
 * Whether to list a chat. A sub-agent is represented by the chat that it works for, while that chat is being
 * answered or is on the page.
 */
function isWritten(
  { id, activeRunId, origin, parentId }: Session,
  sessions: Readonly<Record<string, Session>>,
  shownChat: string | null,
): boolean {
  if (activeRunId === null || id === shownChat) return false
  if (origin !== 'sub_agent' || parentId === null) return true
  return parentId !== shownChat && (sessions[parentId]?.activeRunId ?? null) === null
}

/** The running review. Its proposals appear in the badge of Activity. */
function useReview(): ReactNode {
  const answer = useAnswer('learning.activity', { limit: 1 })
  const { client } = useLink()
  const ask = useAsk()
  const running = answer?.ok ? answer.value.reviews.find(({ state }) => state === 'running') : undefined
  if (!running) return null
  return (
    <Item
      sign={<GraduationCap size={14} className="pulse shrink-0" />}
      text={running.title === '' ? 'Reviewing a chat' : `Reviewing “${showTitle(running.title)}”`}
      onShow={() => goTo({ page: 'activity' })}
      stop={{ label: 'Stop the review', run: () => ask(client['learning.cancel']({ reviewId: running.id })) }}
    />
  )
}

/** The model files that are being downloaded or copied. */
function useDownload(onDownloads: () => void): ReactNode {
  const transfers = useTransfers()
  const { client } = useLink()
  const ask = useAsk()
  const moving = transfers.filter(isMoving)
  const [first] = moving
  if (!first) return null
  const { id, kind, name, state, totalBytes } = first
  const share = totalBytes === null ? '…' : `: ${formatShare(incomingShare(moving) ?? 0)}`
  const shown = showHiddenInLine(name)
  const one = {
    waiting: `${shown} is queued`,
    running: kind === 'download' ? `Downloading ${shown}${share}` : `Copying ${shown}${share}`,
    checking: `Checking ${shown}`,
  }
  const several = `${moving.length} files are arriving: ${formatShare(incomingShare(moving) ?? 0)}`
  return (
    <Item
      sign={<Download size={14} className="shrink-0" />}
      text={byCount(moving.length, one[state as keyof typeof one], several)}
      onShow={onDownloads}
      // Neither an upload, which comes from a page, nor a check of a finished file can be paused.
      stop={
        moving.length === 1 && kind !== 'upload' && state !== 'checking'
          ? { label: `Pause: ${shown}`, run: () => ask(client['download.pause']({ id })) }
          : undefined
      }
    />
  )
}
