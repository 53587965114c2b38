/** A toast. `action` undoes or answers it. */
export type Toast = {
  id: number
  text: string
  level: 'info' | 'error'
  action?: { label: string; run: () => void }
  /** Display time in ms. Pauses while the toast is hovered or focused. */
  ms: number
  /** The topic. A newer toast on the same topic replaces this one. */
  about?: string
  /** How many times the same error occurred; it is shown once. */
  times: number
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const set = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

/** The toasts of this window, as a single global list. */
export const toastList = {
  get: () => toasts,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

type Options = Partial<Pick<Toast, 'level' | 'action' | 'ms' | 'about'>>

/** Whether two toasts say the same. A toast with a button is always distinct: each Undo is its own. */
const areAlike = (a: Toast, b: Toast) =>
  a.text === b.text && a.level === b.level && a.action === undefined && b.action === undefined

/** Shows a toast. At most four are visible at a time, without duplicates. */
export function showToast(text: string, options: Options = {}): void {
  const level = options.level ?? 'info'
  const toast: Toast = {
    id: ++lastId,
    text,
    level,
    ms: level === 'error' ? 8_000 : 4_000,
    times: 1,
    ...options,
  }
  const { about } = options
  const same = toasts.find(each => areAlike(each, toast))
  if (same && level === 'error') toast.times += same.times
  const others = toasts.filter(each => each !== same && (about === undefined || each.about !== about))
  set([...others.slice(-3), toast])
}

/** Dismisses a toast early. */
export const hideToast = (id: number): void => set(toasts.filter(toast => toast.id !== id))
