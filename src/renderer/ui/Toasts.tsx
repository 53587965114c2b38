import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Icon, IconButton } from './IconButton.tsx'
import { cx } from './style.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'

/** The toast area: a status region, of which screen readers announce what is new. */
export function Toasts({ label, closeLabel }: { label: string; closeLabel: string }): ReactNode {
  const toasts = useSyncExternalStore(toastList.subscribe, toastList.get)
  return (
    <output aria-label={label} aria-atomic="false" className="toasts">
      {toasts.map(toast => (
        <Card key={toast.id} toast={toast} closeLabel={closeLabel} />
      ))}
    </output>
  )
}

function Card({ toast, closeLabel }: { toast: Toast; closeLabel: string }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => hideToast(toast.id), toast.ms)
    return () => clearTimeout(timer)
  }, [held, toast])
  return (
    <span
      role="presentation"
      className="pointer-events-auto flex max-w-lg items-center gap-3 rounded-xl border border-line bg-raised py-1.5 ps-4 pe-1.5 text-sm shadow-float"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={cx('min-w-0 py-1', toast.level === 'error' && 'text-danger')}>
        {showHidden(toast.text)}
      </span>
      {toast.action && (
        <button
          type="button"
          className="btn btn-quiet text-accent"
          onClick={() => {
            hideToast(toast.id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton small label={closeLabel} onClick={() => hideToast(toast.id)}>
        <Icon name="close" size={14} />
      </IconButton>
    </span>
  )
}

/** A toast. `action` undoes or answers it. */
type Toast = {
  id: number
  text: string
  level: 'info' | 'error'
  action?: { label: string; run: () => void }
  /** Display time in ms. Pauses while the toast is hovered or focused. */
  ms: number
  /** The topic. A newer toast on the same topic replaces this one. */
  about?: string
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const set = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

/**
 * The toasts of this window, as a single global list.
 * @internal Tests begin without the toasts of the one before.
 */
export const toastList = {
  get: () => toasts,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

type Options = Partial<Pick<Toast, 'level' | 'action' | 'ms' | 'about'>>

/** Shows a toast. At most four are visible at a time. */
export function showToast(text: string, options: Options = {}): void {
  const level = options.level ?? 'info'
  const toast: Toast = { id: ++lastId, text, level, ms: level === 'error' ? 8_000 : 4_000, ...options }
  const { about } = options
  const others = toasts.filter(each => about === undefined || each.about !== about)
  set([...others.slice(-3), toast])
}

/**
 * Dismisses a toast early.
 * @internal Tests begin without the toasts of the one before.
 */
export const hideToast = (id: number) => set(toasts.filter(toast => toast.id !== id))
