import type { ReactNode } from 'react'

type Props = {
  /** Target id of a search result. The heading receives focus. */
  id?: string
  title: string
  hint?: string
  children: ReactNode
}

/** A titled part of a section, for content other than settings. */
export function Part({ id, title, hint, children }: Props): ReactNode {
  return (
    <section>
      <h3 data-thing={id} tabIndex={-1} className="setting-heading outline-none">
        {title}
      </h3>
      {hint !== undefined && <p className="mb-3 text-xs text-ink-3">{hint}</p>}
      {children}
    </section>
  )
}
