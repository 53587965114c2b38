import type { ReactNode } from 'react'
import { formatMoment, formatWhen } from './when.ts'

/** A moment in a word or two; the whole of it on hover. */
export function When({ at }: { at: number }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatWhen(at)}
    </time>
  )
}
