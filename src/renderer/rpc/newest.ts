/**
 * Wraps a reload so that only the latest request counts: `isNewest` is false for stale answers. Every call
 * resolves when the latest request ends, so all callers see the newest data.
 */
export function newestOf(ask: (isNewest: () => boolean) => Promise<void>): () => Promise<void> {
  let last = 0
  let ended: Promise<void> = Promise.resolve()
  return () => {
    const turn = ++last
    const isNewest = () => turn === last
    ended = ask(isNewest).then(() => (isNewest() ? undefined : ended))
    return ended
  }
}
