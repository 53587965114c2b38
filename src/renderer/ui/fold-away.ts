const FOLD_MS = 140

/**
 * Let a row shrink to almost nothing; resolves when it has, to what brings it back. Without motion it is gone at once. One
 * pixel stays: a virtual list drops a first row without height, and a row that comes back would not be drawn again.
 */
export async function foldAway(row: HTMLElement | null): Promise<() => void> {
  if (!row || matchMedia('(prefers-reduced-motion: reduce)').matches) return () => {}
  const style = { overflow: 'clip', minHeight: '0', borderWidth: '0' }
  const fold = row.animate(
    [
      { height: `${row.offsetHeight}px`, opacity: 1, ...style },
      { height: '1px', paddingBlock: '0', opacity: 0, ...style },
    ],
    { duration: FOLD_MS, easing: 'ease-out', fill: 'forwards' },
  )
  // A row that goes meanwhile takes its animation along.
  await fold.finished.catch(() => undefined)
  return () => fold.cancel()
}
