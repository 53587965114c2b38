import { useEffect, useState, type ReactNode } from 'react'
import type { Notice } from '../../../shared/contract/app.ts'
import { useConnection, useConnectionProblem, useHost, useLink } from '../../rpc/host-context.tsx'
import { NOT_KNOWN } from '../../rpc/check-host.ts'
import { Banner, LevelSign } from '../../ui/Banner.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { TakesSpace } from './TakesSpace.tsx'
import { placeElements } from '../../ui/text/place-elements.tsx'

const SEVERITY = { error: 2, warning: 1, info: 0 } as const
const LOST = 'connection-lost'

/**
 * App-wide notices, a lost connection and problems that the host reported, in one line: the most severe and newest is shown, and a
 * button opens the list of all.
 */
export function Banners(): ReactNode {
  const notices = useHost(host => host.notices)
  const lost = useLost()
  const shown = [...(lost ? [lost] : []), ...bySeverity(notices)]
  const [first] = shown
  return (
    <section aria-label="Notices" aria-live="polite">
      {first && (
        <Banner
          oneLine
          level={first.level}
          actions={
            <>
              <AllNotices notices={shown} />
              <Answer notice={first} />
            </>
          }
        >
          <NoticeText notice={first} />
        </Banner>
      )}
    </section>
  )
}

/** Sort by severity, most severe first, then newest first. The host reports the newest last. */
const bySeverity = (notices: readonly Notice[]): Notice[] =>
  notices.toReversed().toSorted((a, b) => SEVERITY[b.level] - SEVERITY[a.level])

const NoticeText = ({ notice }: { notice: Notice }) => (
  <>
    {notice.text} <span className="text-ink-2">{notice.fix}</span>
  </>
)

/** What the user can do about one notice: dismiss it, or connect again. */
function Answer({ notice }: { notice: Notice }) {
  const dismiss = useHost(host => host.dismissNotice)
  const { retryNow } = useLink()
  if (notice.id === LOST)
    return (
      <button type="button" className="btn btn-quiet" onClick={retryNow}>
        Try now
      </button>
    )
  return (
    <IconButton small label="Dismiss" onClick={() => void dismiss(notice.id)}>
      <Icon name="close" size={14} />
    </IconButton>
  )
}

/** The button that opens all notices in full, because one line has no space for them. */
function AllNotices({ notices }: { notices: readonly Notice[] }) {
  const dismiss = useHost(host => host.dismissNotice)
  const dismissible = notices.filter(({ id }) => id !== LOST)
  const others = notices.length - 1
  return (
    <Popover
      label="All notices"
      align="end"
      className="w-160 max-w-[calc(100vw-1rem)] p-3 text-sm"
      renderButton={props => (
        <button type="button" className="btn btn-quiet px-2" {...props}>
          {others === 0 ? 'Details' : `${others} more`}
        </button>
      )}
    >
      {close => (
        // The line above was already announced.
        <div aria-live="off">
          <ul aria-label="All notices" className="grid gap-2">
            {notices.map(notice => (
              <li key={notice.id} className="flex items-start gap-2">
                <span className="mt-0.5">
                  <LevelSign level={notice.level} />
                </span>
                <div className="min-w-0 flex-1 wrap-anywhere">
                  <NoticeText notice={notice} />
                  {notice.id === 'disk-full' && <TakesSpace />}
                </div>
                <Answer notice={notice} />
              </li>
            ))}
          </ul>
          {dismissible.length > 1 && (
            <button
              type="button"
              className="btn btn-secondary mt-3"
              onClick={() => {
                close()
                for (const { id } of dismissible) void dismiss(id)
              }}
            >
              Dismiss all
            </button>
          )}
        </div>
      )}
    </Popover>
  )
}

/** A restarted host has another address, so after this time, in ms, the user needs more than "wait". */
const LONG_MS = 10_000

/** A notice of the lost connection; undefined while connected. */
function useLost(): Notice | undefined {
  const isLost = useConnection() === 'lost'
  const problem = useConnectionProblem()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isLost) return
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isLost])
  if (!isLost) return undefined
  const text =
    problem === NOT_KNOWN
      ? NOT_KNOWN
      : 'The connection to Talaria was lost. Your work is safe, and this window reconnects automatically.'
  const fix =
    isLong && problem !== NOT_KNOWN
      ? 'If Talaria was closed, start it again and open the address that it prints.'
      : ''
  return { id: LOST, level: 'warning', text, fix }
}

/** Fills the window until the host has responded once. */
export function Unreachable(): ReactNode {
  const connection = useConnection()
  const { retryNow } = useLink()
  const problem = useConnectionProblem()
  if (connection !== 'lost') {
    return (
      <main className="late flex h-full items-center justify-center text-sm text-ink-3">
        <output className="flex items-center gap-2">
          <Spinner />
          Connecting to Talaria…
        </output>
      </main>
    )
  }
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center">
      <h1 className="text-lg font-semibold">Talaria cannot be reached</h1>
      <p className="max-w-md text-sm text-ink-2">
        {window.desktop
          ? problem || 'Talaria is shutting down or restarting. This window keeps trying.'
          : placeElements(
              'Talaria may not be running, or it restarted at another address. Start it again, or open the address that it prints. Each address works once: {command} prints another. This page keeps trying.',
              { command: <code>talaria address</code> },
            )}
      </p>
      <button type="button" className="btn btn-primary mt-2" onClick={retryNow}>
        Try now
      </button>
    </main>
  )
}
