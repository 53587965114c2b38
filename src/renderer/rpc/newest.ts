/**
 * A way to ask anew for what is shown. Of several answers only the last that was asked for counts: `isNewest` says whether an
 * answer is that one. Each asking ends when the last has ended, so that whoever waited for theirs sees what is as new.
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
