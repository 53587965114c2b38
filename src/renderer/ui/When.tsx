import type { ReactNode } from 'react'
import { formatMoment, formatWhen } from './when.ts'

/** A short date or time, with the full one as a tooltip. */
export function When({ at }: { at: number }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatWhen(at)}
    </time>
  )
}
