import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

/** How much waits, as far as it is worth counting. */
export const shownCount = (count: number) => (count > 99 ? '99+' : String(count))

/** How much waits for the person on a page. */
export function WaitingBadge({ count, className }: { count: number; className?: string }): ReactNode {
  return <span className={cx('waiting-badge', className)}>{shownCount(count)}</span>
}
