import { useEffect, useState, type ReactNode } from 'react'
import type { Transfer } from '../shared/contract/models/download.ts'
import { formatDuration } from './ui/text/format-values.ts'
import { showHidden } from '../shared/visible-text/show-hidden.ts'

type Waits = Transfer & { retryAt: number }

/** Whether a transfer is waiting for an automatic retry after a failed attempt. */
export const waitsToRetry = (transfer: Transfer): transfer is Waits =>
  transfer.state === 'running' && typeof transfer.retryAt === 'number'

/** Shows why a transfer is waiting, and in how many seconds it is retried. */
export function WaitingToRetry({ transfer }: { transfer: Waits }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const secondsLeft = Math.ceil((transfer.retryAt - now) / 1_000)
  return (
    <div className="grid gap-0.5 text-xs">
      <p role="alert" className="break-words text-warn">
        {showHidden(transfer.note ?? '')}
      </p>
      <p className="text-ink-2">
        {secondsLeft <= 0
          ? 'Trying again now…'
          : `Talaria tries again in ${formatDuration(secondsLeft * 1_000)}. What has arrived so far is kept.`}
      </p>
    </div>
  )
}
