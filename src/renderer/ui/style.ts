// CSS helpers for components: class names, media queries and one animation.
import { useSyncExternalStore } from 'react'

/** Joins class names and skips absent ones. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')

/** Whether a media query matches. The component re-renders when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    listener => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** Minimum number of entries for a list to have search, filters and checkboxes. */
export const MANY = 8

const FOLD_MS = 140

/**
 * Collapses a row and resolves to a function that restores it. With reduced motion it resolves at once. One
 * pixel of height stays: a virtual list drops a first row of height 0 and would not render it again.
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
  // The animation is cancelled if the row is removed in the meantime.
  await fold.finished.catch(() => undefined)
  return () => fold.cancel()
}
