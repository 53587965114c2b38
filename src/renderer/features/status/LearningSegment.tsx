import { GraduationCap } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { go } from '../../route.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { formatCount } from '../../ui/format.ts'
import { cx } from '../../ui/style.ts'

const standNames = { idle: 'Learning idle', off: 'Learning off', reviewing: 'Reviewing' }

type Stand = 'idle' | 'off' | 'reviewing'

/** Whether a review runs, and how many proposals wait. Links to the Activity page. */
export function LearningSegment(): ReactNode {
  const stand = useStand()
  const open = useHost(host => host.learningOpen)
  const isQuiet = stand !== 'reviewing' && open === 0
  const words = [
    ...(stand === 'reviewing' || open === 0 ? [standNames[stand]] : []),
    ...(open > 0 ? [`${formatCount(open)} waiting`] : []),
  ].join(' · ')
  return (
    <button
      type="button"
      aria-label={`${words}. Show what was learned`}
      className={cx(
        'status-item',
        isQuiet && 'hidden rail:inline-flex',
        open > 0 && 'font-medium text-accent',
      )}
      onClick={() => go({ page: 'activity' })}
    >
      <GraduationCap size={14} className={cx('shrink-0', stand === 'reviewing' && 'pulse')} />
      <span className="truncate">{words}</span>
    </button>
  )
}

/** The state of learning, reloaded on every change the host reports. */
function useStand(): Stand {
  const { client } = useLink()
  const version = useHost(host => host.learningVersion)
  const [stand, setStand] = useState<Stand>('idle')
  useEffect(() => {
    if (version === 0) return
    const over = new AbortController()
    void attempt(client['learning.activity']({ limit: 1 }, { signal: over.signal })).then(answer => {
      if (over.signal.aborted || !answer.ok) return
      const { reviews, settings } = answer.value
      const isReviewing = reviews.some(({ state }) => state === 'running')
      setStand(isReviewing ? 'reviewing' : settings.mode === 'off' ? 'off' : 'idle')
    })
    return () => over.abort()
  }, [client, version])
  return stand
}
