import { useEffect, useState, type ReactNode } from 'react'
import { useConnection, useConnectionProblem, useHost, useLink } from '../../rpc/host-context.tsx'
import { NOT_KNOWN } from '../../rpc/check-host.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { TakesSpace } from './TakesSpace.tsx'

/** App-wide notices: a lost connection, and problems that the host reported. */
export function Banners(): ReactNode {
  const notices = useHost(host => host.notices)
  const dismiss = useHost(host => host.dismissNotice)
  const lost = useConnection() === 'lost'
  return (
    <section aria-label="Notices" aria-live="polite">
      {lost && <Lost />}
      {notices.map(notice => (
        <Banner
          key={notice.id}
          level={notice.level}
          actions={
            <IconButton small label="Dismiss" onClick={() => void dismiss(notice.id)}>
              <Icon name="close" size={14} />
            </IconButton>
          }
        >
          {notice.text} <span className="text-ink-2">{notice.fix}</span>
          {notice.id === 'disk-full' && <TakesSpace />}
        </Banner>
      ))}
    </section>
  )
}

/** A restarted host has another address, so after this time, in ms, the user needs more than "wait". */
const LONG_MS = 10_000

function Lost() {
  const { retryNow } = useLink()
  const problem = useConnectionProblem()
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Banner
      level="warning"
      actions={
        <button type="button" className="btn btn-quiet" onClick={retryNow}>
          Try now
        </button>
      }
    >
      {problem === NOT_KNOWN
        ? NOT_KNOWN
        : 'The connection to Talaria was lost. Your work is safe, and this window reconnects automatically.'}{' '}
      {long &&
        problem !== NOT_KNOWN &&
        'If Talaria was closed, start it again and open the address that it prints.'}
    </Banner>
  )
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
        {window.desktop ? (
          problem || 'Talaria is ending or starting again. This window keeps trying.'
        ) : (
          <>
            Talaria may not be running, or it restarted at another address. Start it again, or open the
            address that it prints. Each address works once: <code>talaria address</code> prints another. This
            page keeps trying.
          </>
        )}
      </p>
      <button type="button" className="btn btn-primary mt-2" onClick={retryNow}>
        Try now
      </button>
    </main>
  )
}
