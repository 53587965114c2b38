import { useEffect, useState, type ReactNode } from 'react'
import { formatDuration } from '../../ui/format.ts'

/** Seconds since a moment, counted only while the window is visible. */
export function Elapsed({ since }: { since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.floor(Math.max(0, now - since) / 1_000)
  return seconds === 0 ? null : <span className="tabular-nums">{formatDuration(seconds * 1_000)}</span>
}
