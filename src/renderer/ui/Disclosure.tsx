import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './style.ts'

type Props = {
  open: boolean
  onToggle: () => void
  /** The line that is always visible. */
  line: ReactNode
  className?: string
  /** Controls at the end of the line, outside its button. */
  beside?: ReactNode
  /** Sizes the row to its text instead of its column. */
  inline?: boolean
  children: ReactNode
}

/** A line that expands to show details below it. */
export function Disclosure({
  open,
  onToggle,
  line,
  className,
  beside,
  inline = false,
  children,
}: Props): ReactNode {
  const button = (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={cx('disclosure', inline && 'w-max max-w-full')}
    >
      <span className="flex min-w-0 flex-1 items-center gap-2">{line}</span>
      <ChevronRight
        size={16}
        className={cx('shrink-0 transition-transform', open ? 'rotate-90' : 'rtl:rotate-180')}
      />
    </button>
  )
  return (
    <div className={className}>
      {beside ? (
        <div className="disclosure-row flex items-center gap-1 pe-1.5">
          <div className="min-w-0 flex-1">{button}</div>
          {beside}
        </div>
      ) : (
        button
      )}
      {open && children}
    </div>
  )
}
