import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatCount } from './text/format-values.ts'
import { Icon, IconButton } from './IconButton.tsx'
import { cx } from './style.ts'
import { hideToast, toastList, type Toast } from './toast-list.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'

// Callers that show a toast do not import its component.
export { showToast } from './toast-list.ts'

/** The toast area: a status region, in which screen readers announce new toasts. */
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
        {toast.times > 1 && <span className="text-ink-2">{` (${formatCount(toast.times)} times)`}</span>}
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
