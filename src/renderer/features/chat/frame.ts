/** Collects what arrives and hands it on once a frame. */
export type Frame<T> = { push(item: T): void; flush(): void; drop(): void }

/** A hidden window draws no frames, but its chats go on; then this many milliseconds pass between two hand-overs. */
const HIDDEN_MS = 250

/** Hand items on in one go before the next frame is drawn, so that a burst of events is one update. */
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
