import type { ReactNode } from 'react'

type Props = {
  /** What a search leads to; the heading takes the focus then. */
  id?: string
  title: string
  hint?: string
  children: ReactNode
}

/** A part of a section that is more than settings, under its own heading. */
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
