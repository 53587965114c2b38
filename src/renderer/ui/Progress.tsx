import type { ReactNode } from 'react'

/** A progress bar, indeterminate when `share` is null. */
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
