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
