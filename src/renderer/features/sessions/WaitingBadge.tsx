import type { ReactNode } from 'react'
import { cx } from '../../ui/style.ts'

/** The text of the count, capped at 99+. */
export const shownCount = (count: number) => (count > 99 ? '99+' : String(count))

/** The number of items on a page that wait for the user. */
export function WaitingBadge({ count, className }: { count: number; className?: string }): ReactNode {
  return <span className={cx('waiting-badge', className)}>{shownCount(count)}</span>
}
