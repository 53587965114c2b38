import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useOpenChat } from '../chats.ts'
import type { Item } from '../items.ts'

type Options = {
  items: readonly Item[]
  scroller: RefObject<HTMLElement | null>
  letGo: () => void
}

/** A row and its position on the screen. */
type Place = { row: Element; top: number }

/** Frames until the list has drawn a new row, measured it and moved the others. */
const FRAMES = 6

/**
 * Keeps the view still when a proposal appears: rows added above the reader do not move the text, and rows
 * added below are not followed. Call it before `useFollow`, whose effects must run after these.
 */
export function useStill({ items, scroller, letGo }: Options): void {
  const { store, view } = useOpenChat()
  const atEnd = offeredAtEnd(items)
  const before = useRef(atEnd)
  const place = useRef<Place | undefined>(undefined)
  const came = useRef(false)

  // The store notifies before rendering. Proposals found while a chat opens are part of its first view.
  useEffect(
    () =>
      store.subscribe((now, then) => {
        const { offers } = then
        if (now.offers === offers || offers === null || !scroller.current) return
        if (now.offers?.every(({ proposal: { id } }) => offers.some(each => each.proposal.id === id))) return
        came.current = true
        place.current = inSight(scroller.current)
      }),
    [store, scroller],
  )

  useLayoutEffect(() => {
    const isBelow = atEnd.some(id => !before.current.includes(id))
    before.current = atEnd
    if (!came.current) return
    came.current = false
    if (isBelow && view.following) {
      Object.assign(view, { following: false })
      afterFrames(2, () => {
        if (!scroller.current || view.following) return
        const { scrollHeight, scrollTop, clientHeight } = scroller.current
        if (scrollHeight - scrollTop - clientHeight < 2) Object.assign(view, { following: true })
        else letGo()
      })
    } else if (!view.following) holdStill(scroller.current, place.current)
  })
}

/** The ids of the proposals below all messages. */
function offeredAtEnd(items: readonly Item[]): readonly string[] {
  const last = items.findLastIndex(({ kind }) => kind === 'user' || kind === 'answer' || kind === 'tools')
  return items
    .slice(last + 1)
    .flatMap(item => (item.kind === 'offered' ? item.proposals.map(({ id }) => id) : []))
}

/** The first visible row. */
function inSight(scroller: Element): Place | undefined {
  const { top } = scroller.getBoundingClientRect()
  const row = [...scroller.querySelectorAll('.column')]
    .filter(each => each.getBoundingClientRect().bottom > top)
    .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0]
  return row && { row, top: row.getBoundingClientRect().top }
}

function holdStill(scroller: Element | null, place: Place | undefined, frames = FRAMES): void {
  if (!scroller || !place?.row.isConnected || frames === 0) return
  const moved = place.row.getBoundingClientRect().top - place.top
  if (Math.abs(moved) >= 1) scroller.scrollTop += moved
  requestAnimationFrame(() => holdStill(scroller, place, frames - 1))
}

function afterFrames(frames: number, run: () => void): void {
  requestAnimationFrame(() => (frames === 1 ? run() : afterFrames(frames - 1, run)))
}
