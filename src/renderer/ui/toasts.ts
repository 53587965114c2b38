/** A short message in the corner; `action` is what undoes or answers it. */
export type Toast = {
  id: number
  text: string
  level: 'info' | 'error'
  action?: { label: string; run: () => void }
  /** How long it stays, in milliseconds, while nobody points at it. */
  ms: number
  /** What it is about: a newer message about the same takes its place. */
  about?: string
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const set = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

/** The toasts of this window; there is one corner, so there is one list. */
export const toastList = {
  get: () => toasts,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

type Options = Partial<Pick<Toast, 'level' | 'action' | 'ms' | 'about'>>

/** Show a message for a while; at most four stand at a time. */
export function showToast(text: string, options: Options = {}): void {
  const level = options.level ?? 'info'
  const toast: Toast = { id: ++lastId, text, level, ms: level === 'error' ? 8_000 : 4_000, ...options }
  const { about } = options
  const others = toasts.filter(each => about === undefined || each.about !== about)
  set([...others.slice(-3), toast])
}

/** Take a message away before its time. */
export const hideToast = (id: number) => set(toasts.filter(toast => toast.id !== id))
