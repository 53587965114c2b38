import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { cx } from './style.ts'

/** The props that a button needs to open a panel. */
export type PopoverButton = {
  onPointerDown: () => void
  onClick: (event: { detail: number }) => void
  'aria-expanded': boolean
  'aria-haspopup': 'dialog' | 'menu'
  'aria-controls': string | undefined
}

type Props = {
  label: string
  /** Renders the button. Spread all given props on it. */
  renderButton: (button: PopoverButton) => ReactNode
  /** Renders the content, only while open. */
  children: (close: () => void) => ReactNode
  align?: 'start' | 'end'
  side?: 'below' | 'above'
  role?: 'dialog' | 'menu'
  className?: string
}

const GAP = 6
const EDGE = 8

/** A small panel next to its button, in the browser's top layer. Esc or a click outside closes it. */
export function Popover(props: Props): ReactNode {
  const { label, renderButton, children, align = 'start', side = 'below', role = 'dialog', className } = props
  const [open, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const id = useId()
  const button: PopoverButton = {
    onPointerDown: () => setWasOpen(open),
    onClick: ({ detail }) => {
      // Pointer down closes an open panel before the click event, which must not reopen it. Key presses have
      // `detail` 0.
      if (!open && !(detail > 0 && wasOpen)) setOpen(true)
    },
    'aria-expanded': open,
    'aria-haspopup': role,
    'aria-controls': open ? id : undefined,
  }
  const panel = { id, label, align, side, role, className }
  return (
    <>
      {renderButton(button)}
      {open && (
        <Panel {...panel} onClosed={() => setOpen(false)}>
          {children(() => document.getElementById(id)?.hidePopover())}
        </Panel>
      )}
    </>
  )
}

type SignPopoverProps = Pick<Props, 'label' | 'children'> & {
  /** The meaning of the button, for its tooltip and for screen readers. */
  title: string
  sign: ReactNode
  text: string
  /**
   * Whether to show only the icon if the message field is narrow; `first`: hide this text before others.
   * Without a text, only the icon is ever shown.
   */
  hidesText?: boolean | 'first'
}

/** Class names for texts in a row of controls that is too narrow for all of them. */
const HIDDEN_FIRST = 'hidden @[43rem]:inline'
const HIDDEN_NEXT = 'hidden @2xl:inline'

/** A quiet button with an icon and a short text, as below the message field. Its panel opens above it. */
export function SignPopover({ title, sign, text, hidesText, ...panel }: SignPopoverProps): ReactNode {
  return (
    <Popover
      {...panel}
      side="above"
      className="w-96 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={title}
          title={title}
          className="btn btn-quiet min-w-0 px-2"
          {...props}
        >
          {sign}
          {text !== '' && (
            <bdi
              className={cx(
                'truncate text-xs font-normal',
                hidesText && (hidesText === 'first' ? HIDDEN_FIRST : HIDDEN_NEXT),
              )}
            >
              {text}
            </bdi>
          )}
        </button>
      )}
    />
  )
}

type PanelProps = Required<Pick<Props, 'label' | 'align' | 'side' | 'role'>> & {
  id: string
  className: string | undefined
  onClosed: () => void
  children: ReactNode
}

function Panel({ id, label, align, side, role, className, onClosed, children }: PanelProps) {
  const ref = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const panel = ref.current
    const button = buttonOf(id)
    if (!panel || !button) return
    panel.showPopover()
    const place = () => putBeside(panel, button.getBoundingClientRect(), align, side)
    place()
    const resized = new ResizeObserver(place)
    resized.observe(panel)
    window.addEventListener('resize', place)
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', place)
    }
  }, [id, align, side])

  return (
    <div
      ref={ref}
      id={id}
      popover="auto"
      role={role}
      aria-label={label}
      className={cx('floating', className)}
      onToggle={event => {
        if (event.newState !== 'closed') return
        // Return focus to the button, unless the user has moved it, for example by clicking a field.
        if (!document.activeElement || document.activeElement === document.body) buttonOf(id)?.focus()
        onClosed()
      }}
    >
      {children}
    </div>
  )
}

const buttonOf = (id: string) => document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)

/** Keeps the panel on screen: it flips to the other side, and shrinks if neither side fits. */
function putBeside(panel: HTMLElement, button: DOMRect, align: 'start' | 'end', side: 'below' | 'above') {
  const rtl = getComputedStyle(panel).direction === 'rtl'
  const { width } = panel.getBoundingClientRect()
  const leftEdge = (align === 'start') !== rtl
  const left = leftEdge ? button.left : button.right - width
  const roomBelow = innerHeight - button.bottom - GAP - EDGE
  const roomAbove = button.top - GAP - EDGE
  const wanted = panel.scrollHeight
  const below =
    side === 'below'
      ? roomBelow >= wanted || roomBelow >= roomAbove
      : roomAbove < wanted && roomBelow > roomAbove
  panel.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`
  panel.style.right = 'auto'
  panel.style.top = below ? `${button.bottom + GAP}px` : 'auto'
  panel.style.bottom = below ? 'auto' : `${innerHeight - button.top + GAP}px`
  panel.style.maxHeight = `${below ? roomBelow : roomAbove}px`
  panel.style.overflowY = 'auto'
}
