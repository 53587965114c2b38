import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { MOUNT_ROWS } from './chat-row-focus.ts'

/** How many rows are mounted and unmounted together. */
const PART = 20
/** Maximum distance from the view at which parts stay mounted, in px. */
const NEAR = 800
/** Assumed height of a row until one was measured, in px. */
const ROW_HEIGHT = 32

/** The position of a row in its list, for screen readers, because not all rows of a long list are mounted. */
export type RowPlace = { 'aria-setsize'?: number | undefined; 'aria-posinset'?: number | undefined }

/** The mounted parts, and the last measured height of each part. */
type Mounted = { near: ReadonlySet<number>; heights: readonly (number | undefined)[] }

type Props<Entry> = {
  entries: readonly Entry[]
  /** The chats of an entry, in order; a fold of several is one entry. */
  idsOf: (entry: Entry) => readonly string[]
  /** The chats of an entry that currently have rows, if not all do. */
  shownOf?: (entry: Entry) => readonly string[]
  renderEntry: (entry: Entry, place: RowPlace) => ReactNode
  /** The chat that Tab focuses. Its row is always mounted. */
  tabId: string | null | undefined
  className?: string
}

/**
 * A list of chats in which only the rows near the view are mounted. Distant rows are replaced by one empty
 * item of the same height, which lists their chats, so that keys and selections reach them.
 */
export function RowList<Entry>(props: Props<Entry>): ReactNode {
  const { entries, idsOf, shownOf = idsOf, renderEntry, tabId, className } = props
  const list = useRef<HTMLUListElement>(null)
  const count = Math.ceil(entries.length / PART)
  const partOf = (id: string | null | undefined) =>
    id === null || id === undefined
      ? -1
      : Math.floor(entries.findIndex(entry => idsOf(entry).includes(id)) / PART)
  const [{ near, heights }, setMounted] = useState<Mounted>(() => ({ near: new Set([0, 1]), heights: [] }))
  const tabPart = count > 2 ? partOf(tabId) : -1

  useLayoutEffect(() => {
    const element = list.current
    if (!element || count <= 2) return undefined
    const look = () => {
      // A hidden list cannot be measured.
      if (!element.checkVisibility()) return
      const places = [...element.querySelectorAll<HTMLElement>(':scope > [data-part]')]
      const tops = places.map(place => place.getBoundingClientRect().top)
      const end = element.getBoundingClientRect().bottom
      const focused = partWithFocus(element)
      const next = new Set<number>()
      const measured: (number | undefined)[] = []
      for (const [part, top] of tops.entries()) {
        const bottom = tops[part + 1] ?? end
        if (places[part]!.dataset['part'] === 'in') measured[part] = bottom - top
        const isNear = bottom > -NEAR && top < innerHeight + NEAR
        if (isNear || Math.abs(part - focused) <= 1) next.add(part)
      }
      setMounted(before =>
        before.near.size === next.size && next.isSubsetOf(before.near)
          ? before
          : { near: next, heights: tops.map((_, part) => measured[part] ?? before.heights[part]) },
      )
    }
    look()
    let frame = 0
    const lookSoon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    const mount = (event: Event) => {
      const part = [...element.querySelectorAll(':scope > [data-part]')].indexOf(event.target as Element)
      if (part < 0) return
      flushSync(() => setMounted(before => ({ ...before, near: new Set([...before.near, part]) })))
    }
    // The scrolling element is an ancestor of the list: a pane of the window or a drawer.
    document.addEventListener('scroll', lookSoon, { capture: true, passive: true })
    window.addEventListener('resize', lookSoon)
    const sizes = new ResizeObserver(lookSoon)
    sizes.observe(element)
    element.addEventListener('focusin', lookSoon)
    element.addEventListener(MOUNT_ROWS, mount)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', lookSoon, { capture: true })
      window.removeEventListener('resize', lookSoon)
      sizes.disconnect()
      element.removeEventListener('focusin', lookSoon)
      element.removeEventListener(MOUNT_ROWS, mount)
    }
  }, [count])

  if (count <= 2)
    return (
      <ul ref={list} className={className}>
        {entries.map(entry => renderEntry(entry, {}))}
      </ul>
    )
  const placeOf = (at: number): RowPlace => ({ 'aria-setsize': entries.length, 'aria-posinset': at + 1 })
  const parts = Array.from({ length: count }, (_, part) => entries.slice(part * PART, (part + 1) * PART))
  return (
    <ul ref={list} className={className}>
      {parts.flatMap((rows, part) => {
        const isIn = near.has(part) || part === tabPart
        const height = isIn ? 0 : (heights[part] ?? rows.length * ROW_HEIGHT)
        return [
          <li
            // oxlint-disable-next-line react/no-array-index-key -- a part is its place
            key={`part ${part}`}
            aria-hidden="true"
            data-part={isIn ? 'in' : 'out'}
            data-rows={isIn ? undefined : rows.flatMap(shownOf).join(' ')}
            style={{ height }}
          />,
          ...(isIn ? rows.map((entry, at) => renderEntry(entry, placeOf(part * PART + at))) : []),
        ]
      })}
    </ul>
  )
}

/** The index of the part that has the focus; far below zero if the focus is elsewhere. */
function partWithFocus(list: HTMLElement): number {
  const { activeElement } = document
  if (!activeElement || !list.contains(activeElement)) return -9
  let part = -1
  for (const child of list.children) {
    if (child instanceof HTMLElement && child.dataset['part'] !== undefined) part++
    if (child.contains(activeElement)) return part
  }
  return -9
}
