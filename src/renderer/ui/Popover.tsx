import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { cx } from './cx.ts'

export type PopoverTrigger = {
  onClick: () => void
  'aria-expanded': boolean
  'aria-haspopup': 'dialog' | 'menu'
  'aria-controls': string | undefined
}

type Props = {
  label: string
  /** Draws the button; everything that it gets must land on it. */
  trigger: (props: PopoverTrigger) => ReactNode
  /** Draws the content, only while it is open. */
  children: (close: () => void) => ReactNode
  align?: 'start' | 'end'
  side?: 'below' | 'above'
  role?: 'dialog' | 'menu'
  className?: string
}

const GAP = 6
const EDGE = 8

/** A small panel beside its button, in the browser's top layer; a click elsewhere or Esc closes it. */
export function Popover(props: Props): ReactNode {
  const { label, trigger, children, align = 'start', side = 'below', role = 'dialog', className } = props
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  // A press on the button closes an open panel before the click arrives, which must then not open it again.
  const closedAt = useRef(0)
  const close = () => panel.current?.hidePopover()

  useLayoutEffect(() => {
    const floating = panel.current
    const button = anchor.current?.firstElementChild
    if (!open || !floating || !button) return
    floating.showPopover()
    const place = () => putBeside(floating, button.getBoundingClientRect(), align, side)
    place()
    const resized = new ResizeObserver(place)
    resized.observe(floating)
    window.addEventListener('resize', place)
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', place)
    }
  }, [open, align, side])

  return (
    <>
      <span ref={anchor} className="contents">
        {trigger({
          onClick: () => !open && performance.now() - closedAt.current > 200 && setOpen(true),
          'aria-expanded': open,
          'aria-haspopup': role,
          'aria-controls': open ? id : undefined,
        })}
      </span>
      {open && (
        <div
          ref={panel}
          id={id}
          popover="auto"
          role={role}
          aria-label={label}
          className={cx('floating', className)}
          onToggle={event => {
            if (event.newState !== 'closed') return
            closedAt.current = performance.now()
            setOpen(false)
            const button = anchor.current?.firstElementChild
            if (button instanceof HTMLElement && !document.activeElement?.matches('input, textarea, a'))
              button.focus({ preventScroll: true })
          }}
        >
          {children(close)}
        </div>
      )}
    </>
  )
}

/** Keep the panel on the screen: it flips over its button when there is no room, and shrinks when there is none at all. */
function putBeside(floating: HTMLElement, button: DOMRect, align: 'start' | 'end', side: 'below' | 'above') {
  const rtl = getComputedStyle(floating).direction === 'rtl'
  const { width } = floating.getBoundingClientRect()
  const leftEdge = (align === 'start') !== rtl
  const left = leftEdge ? button.left : button.right - width
  const roomBelow = innerHeight - button.bottom - GAP - EDGE
  const roomAbove = button.top - GAP - EDGE
  const wanted = floating.scrollHeight
  const below =
    side === 'below'
      ? roomBelow >= wanted || roomBelow >= roomAbove
      : roomAbove < wanted && roomBelow > roomAbove
  floating.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`
  floating.style.right = 'auto'
  floating.style.top = below ? `${button.bottom + GAP}px` : 'auto'
  floating.style.bottom = below ? 'auto' : `${innerHeight - button.top + GAP}px`
  floating.style.maxHeight = `${below ? roomBelow : roomAbove}px`
  floating.style.overflowY = 'auto'
}
