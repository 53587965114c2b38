import { Ellipsis } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

/** Controls that a narrow message field shows only after a click. A wide field always shows them. */
export function MoreControls({ children }: { children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const label = isOpen ? 'Fewer controls' : 'More controls'
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        aria-controls={id}
        data-more={isOpen ? 'open' : 'closed'}
        className="btn btn-quiet shrink-0 px-2 @lg:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis size={16} className="shrink-0" />
      </button>
      <div id={id} className={isOpen ? 'contents' : 'hidden @lg:contents'}>
        {children}
      </div>
    </>
  )
}
