import { PanelRight } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Drawer } from './Dialog.tsx'
import { Icon, IconButton } from './IconButton.tsx'
import { isKey, isOpenAbove } from './keyboard/keys.ts'
import { keepValue, readKept } from './local-storage.ts'
import { useMedia } from './style.ts'

/** The panel of a page: beside it in a wide window, over it in a narrow one. */
export type InspectorState = {
  open: boolean
  wide: boolean
  show: () => void
  hide: () => void
}

/** The panel state of a page. Closed by default; in a wide window the last state is restored. */
export function useInspector(page: string): InspectorState {
  // Below this width, the chat list and the panel leave too little space for the chat.
  const wide = useMedia('(min-width: 64rem)')
  const key = `inspector.${page}`
  const [beside, setBeside] = useState(() => readKept(key) === 'open')
  // The overlay is never restored and does not open when the window becomes narrower.
  const [over, setOver] = useState(false)
  const set = (open: boolean) => {
    if (!wide) return setOver(open)
    keepValue(key, open ? 'open' : 'closed')
    setBeside(open)
  }
  return { open: wide ? beside : over, wide, show: () => set(true), hide: () => set(false) }
}

type ButtonProps = { inspector: InspectorState; openLabel: string; closeLabel: string }

/** The header button that toggles the panel. */
export function InspectorButton({ inspector, openLabel, closeLabel }: ButtonProps): ReactNode {
  const { open, wide, show, hide } = inspector
  return (
    <IconButton
      data-opens-panel=""
      onKeyDown={event => open && closeByKey(event, hide)}
      label={open ? closeLabel : openLabel}
      aria-expanded={open}
      aria-haspopup={wide ? undefined : 'dialog'}
      onClick={open ? hide : show}
    >
      <PanelRight size={18} className="rtl:-scale-x-100" />
    </IconButton>
  )
}

type Props = { inspector: InspectorState; title: string; closeLabel: string; children: ReactNode }

/** The panel beside a page, or over it in a narrow window. Its content is mounted only while open. */
export function Inspector({ inspector, title, closeLabel, children }: Props): ReactNode {
  const { open, wide, hide } = inspector
  if (!open) return null
  const content = (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex h-13 shrink-0 items-center justify-between ps-4 pe-3">
        <h2 className="text-sm font-semibold">{title}</h2>
        <IconButton small label={closeLabel} onClick={hide}>
          <Icon name="close" size={16} />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">{children}</div>
    </div>
  )
  if (wide) {
    return (
      <Beside title={title} hide={hide}>
        {content}
      </Beside>
    )
  }
  return (
    <Drawer label={title} side="end" onClose={hide}>
      {content}
    </Drawer>
  )
}

/** Esc closes a panel beside a page, unless it closes something in it first. */
function closeByKey(event: KeyboardEvent, hide: () => void): void {
  if (event.defaultPrevented || !isKey(event, 'escape') || isOpenAbove()) return
  event.preventDefault()
  hide()
}

function Beside({ title, hide, children }: { title: string; hide: () => void; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  const [from] = useState(() => document.activeElement)
  // Before a panel is unmounted, the focus returns to where it was when the panel was opened.
  useLayoutEffect(() => {
    const element = panel.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const isBack = from instanceof HTMLElement && from !== document.body && from.isConnected
      const back = isBack ? from : document.querySelector<HTMLElement>('[data-opens-panel]')
      back?.focus({ preventScroll: true })
    }
  }, [from])
  return (
    // Key events bubble from the content to the panel.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={panel}
      aria-label={title}
      className="w-90 shrink-0 border-s border-line"
      onKeyDown={event => closeByKey(event, hide)}
    >
      {children}
    </aside>
  )
}
