import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useOpenChat } from '../chats.ts'
import type { Item } from '../items.ts'

type Options = {
  items: readonly Item[]
  scroller: RefObject<HTMLElement | null>
  letGo: () => void
}

/** A row and where on the screen it was. */
type Place = { row: Element; top: number }

/** The list draws a new row, measures it, and moves the others; that is over after so many frames. */
const FRAMES = 6

/**
 * Nothing moves because something was found: what comes above what is read leaves it in its place, and what comes below
 * is not followed. To be called before `useFollow`, whose effects come after these.
 */
export function useStill({ items, scroller, letGo }: Options): void {
  const { store, view } = useOpenChat()
  const atEnd = offeredAtEnd(items)
  const before = useRef(atEnd)
  const place = useRef<Place | undefined>(undefined)
  const came = useRef(false)

  // The store tells of it before anything is drawn. What is found while a chat is being opened is part of what it shows.
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

/** The ids of the proposals that stand below all messages. */
function offeredAtEnd(items: readonly Item[]): readonly string[] {
  const last = items.findLastIndex(({ kind }) => kind === 'user' || kind === 'answer' || kind === 'tools')
  return items
    .slice(last + 1)
    .flatMap(item => (item.kind === 'offered' ? item.proposals.map(({ id }) => id) : []))
}

/** The first row that is in sight. */
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
