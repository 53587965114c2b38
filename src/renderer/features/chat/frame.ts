/** Batches incoming items into one update per frame. */
export type Frame<T> = { push(item: T): void; flush(): void; drop(): void }

/** Delay between batches in a hidden window, in ms. It draws no frames, but its chats continue. */
const HIDDEN_MS = 250

/** Deliver all pending items once before the next frame, so that a burst of events is one update. */
export function perFrame<T>(handOn: (items: T[]) => void): Frame<T> {
  let items: T[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const forget = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
  }
  const flush = () => {
    forget()
    const ready = items
    items = []
    if (ready.length > 0) handOn(ready)
  }
  return {
    push(item) {
      items.push(item)
      if (frame !== 0) return
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, HIDDEN_MS)
    },
    flush,
    drop() {
      forget()
      items = []
    },
  }
}
