import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { cx } from '../../ui/style.ts'
import { useOpenChat } from './chats.ts'

type Props = {
  open: boolean
  onToggle: () => void
  /** The line that is always visible. */
  line: ReactNode
  className?: string
  /** Sizes the row to its text instead of its column. */
  inline?: boolean
  children: ReactNode
}

/** A line that expands to show details below it. */
export function Disclosure({ open, onToggle, line, className, inline = false, children }: Props): ReactNode {
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}

        onClick={onToggle}
        className={cx('disclosure', inline && 'w-max max-w-full')}
      >
        <span className="flex min-w-0 flex-1 items-center gap-2">{line}</span>
        <ChevronRight
          size={15}
          className={cx('shrink-0 transition-transform', open ? 'rotate-90' : 'rtl:rotate-180')}
        />
      </button>
      {open && children}
    </div>
  )
}

/** Whether part of the transcript is expanded. The state survives while its row is unmounted. */
export function useOpened(key: string): [boolean, (open: boolean) => void] {
  const { opened } = useOpenChat().view
  const [open, setOpen] = useState(() => opened.has(key))
  return [
    open,
    next => {
      if (next) opened.add(key)
      else opened.delete(key)
      setOpen(next)
    },
  ]
}
