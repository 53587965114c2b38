import { useEffect, useState, type ReactNode } from 'react'
import { useConnection, useHost, useLink } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'

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
        </Banner>
      ))}
    </section>
  )
}

/** A restarted host has another address, so after this time, in ms, the user needs more than "wait". */
const LONG_MS = 10_000

function Lost() {
  const { retryNow } = useLink()
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
      The connection to Talaria was lost. Your work is safe, and this window reconnects automatically.{' '}
      {long && 'If Talaria was closed, start it again and open the address that it prints.'}
    </Banner>
  )
}
