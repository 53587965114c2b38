import { useEffect, useState, type ReactNode } from 'react'
import { useConnection, useHost, useLink } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { noticesText } from './strings.ts'

/** What belongs to no chat and should be known: a line that broke, and what the host found on its way. */
export function Banners(): ReactNode {
  const notices = useHost(host => host.notices)
  const dismiss = useHost(host => host.dismissNotice)
  const lost = useConnection() === 'lost'
  return (
    <section aria-label={noticesText.region} aria-live="polite">
      {lost && <Lost />}
      {notices.map(notice => (
        <Banner
          key={notice.id}
          level={notice.level}
          actions={
            <IconButton small label={noticesText.dismiss} onClick={() => void dismiss(notice.id)}>
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

/** A host that is started anew answers at another address, so after a while waiting alone is poor advice. */
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
          {noticesText.retry}
        </button>
      }
    >
      {noticesText.lost} {long && noticesText.lostLong}
    </Banner>
  )
}
