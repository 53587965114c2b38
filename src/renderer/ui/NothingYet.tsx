import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = {
  icon: LucideIcon
  title: string
  /** The label of the button that adds the first one. */
  action: string
  onAction: () => void
  /** What the user can do, and what happens then. */
  children: ReactNode
}

/** The empty state of a page: its purpose, and the button that adds the first item. */
export function NothingYet({ icon: IconOf, title, action, onAction, children }: Props): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-line-strong px-4 py-10 text-center">
      <IconOf size={28} className="text-ink-3" aria-hidden="true" />
      <p className="text-sm font-medium">{title}</p>
      <p className="max-w-md text-sm text-ink-2">{children}</p>
      <button type="button" aria-haspopup="dialog" className="btn btn-primary" onClick={onAction}>
        {action}
      </button>
    </div>
  )
}
