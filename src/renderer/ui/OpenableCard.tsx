import { ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cx } from './style.ts'

type Props = {
  /** The accessible name of the item; without it, the text of the item is its name. */
  label?: string
  title: ReactNode
  /** Shown beside the title, and below it. */
  badges?: ReactNode
  facts: ReactNode
  /** Buttons at the end of the row. */
  actions: ReactNode
  /** Whether the buttons wrap below the title if the row is too narrow for both. */
  wraps?: boolean
  /** Shown below the row, whether the card is open or not. */
  notes?: ReactNode
  isOpen: boolean
  onToggle: () => void
  /** The content of the open card. */
  children: ReactNode
}

/** A list item that expands to show details. */
export function OpenableCard(props: Props): ReactNode {
  const { label, title, badges, facts, actions, wraps = false, notes, isOpen, onToggle, children } = props
  const id = useId()
  return (
    <li aria-label={label} className={cx('model-card', isOpen && 'model-card-open')}>
      <div className={cx('flex items-start gap-y-2', wraps ? 'flex-wrap gap-x-2' : 'gap-x-3')}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          className="model-open"
          onClick={onToggle}
        >
          <ChevronRight
            size={16}
            className={cx(
              'mt-0.5 shrink-0 text-ink-3 transition-transform',
              isOpen ? 'rotate-90' : 'rtl:rotate-180',
            )}
          />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span dir="auto" className="text-sm font-medium wrap-anywhere">
                {title}
              </span>
              {badges}
            </span>
            <span className="block text-xs break-words text-ink-3">{facts}</span>
          </span>
        </button>
        <div
          className={cx(
            'flex items-center gap-1.5',
            wraps ? 'ms-auto min-w-0 flex-wrap justify-end' : 'shrink-0',
          )}
        >
          {actions}
        </div>
      </div>
      {notes}
      {isOpen && (
        <div id={id} className="mt-4 border-t border-line pt-4">
          {children}
        </div>
      )}
    </li>
  )
}
