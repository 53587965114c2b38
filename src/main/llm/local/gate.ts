/** Holds background work back while anybody is being answered. */
export type Gate = {
  readonly isOpen: boolean
  /** Somebody is being answered until the function that this gives is called. */
  enter(): () => void
  /** Call `listener` whenever the gate opens. */
  onOpen(listener: () => void): void
}

/** Make a gate that is open. */
export function createGate(): Gate {
  const listeners: (() => void)[] = []
  let inside = 0
  return {
    get isOpen() {
      return inside === 0
    },
    enter() {
      inside++
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        inside--
        if (inside === 0) for (const listener of listeners) listener()
      }
    },
    onOpen: listener => void listeners.push(listener),
  }
}
