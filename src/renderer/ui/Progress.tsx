import type { ReactNode } from 'react'
import { formatShare } from './text/format-values.ts'

/** A progress bar, indeterminate if `share` is null. */
export function Progress({ label, share }: { label: string; share: number | null }): ReactNode {
  return (
    <>
      <progress
        aria-label={label}
        className="sr-only"
        {...(share === null ? {} : { max: 1, value: share })}
      />
      <div aria-hidden="true" className="meter">
        <span
          className={share === null ? 'meter-fill pulse' : 'meter-fill'}
          style={{ inlineSize: `${(share ?? 1) * 100}%` }}
        />
      </div>
    </>
  )
}

/** Long work that can be stopped: its label, its progress and a stop button. */
export function WorkProgress(props: { label: string; share: number | null; onStop: () => void }): ReactNode {
  const { label, share, onStop } = props
  return (
    <div className="grid max-w-xl gap-2">
      <p className="text-sm tabular-nums">
        {label}
        {share !== null && `: ${formatShare(share)}`}
      </p>
      <Progress label={label} share={share} />
      <button type="button" className="btn btn-secondary justify-self-start" onClick={onStop}>
        Stop
      </button>
    </div>
  )
}

/** A decorative spinner. The text next to it says what is in progress. */
export function Spinner({ size = 14 }: { size?: number }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="3"
      strokeLinecap="round"
      className="spin shrink-0"
    >
      <circle cx="12" cy="12" r="9" stroke="currentColor" opacity="0.2" />
      <path d="M21 12a9 9 0 00-9-9" stroke="currentColor" />
    </svg>
  )
}

/** Loads the next page of a list, if there is one. */
export function More({ list }: { list: { more: boolean; loadMore: () => Promise<unknown> } }): ReactNode {
  if (!list.more) return null
  return (
    <button
      type="button"
      className="btn btn-secondary mt-3 justify-self-start"
      onClick={() => void list.loadMore()}
    >
      Show more
    </button>
  )
}
