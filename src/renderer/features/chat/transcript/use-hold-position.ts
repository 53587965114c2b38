import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useOpenChat } from '../store/open-chats.ts'
import type { TranscriptRow } from './transcript-rows.ts'

type Options = {
  items: readonly TranscriptRow[]
  scroller: RefObject<HTMLElement | null>
  stopFollowing: () => void
}

/** The key of a row and its position on screen. The list may re-render a row while it moves the others. */
type Place = { key: string; top: number }

/** How many frames the list needs to render a new row, measure it and move the others. */
const FRAMES = 6

/**
 * Keeps the view still when a proposal appears: rows added above the reader do not move the text, and rows
 * added below are not followed. Call it before `useFollowScroll`, whose effects must run after these.
 */
export function useHoldPosition({ items, scroller, stopFollowing }: Options): void {
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
        else stopFollowing()
      })
    } else if (!view.following) holdStill(scroller.current, place.current)
  })
}

/** The ids of the proposals below all messages. */
function offeredAtEnd(items: readonly TranscriptRow[]): readonly string[] {
  const last = items.findLastIndex(({ kind }) => ['user', 'answer', 'tool', 'steps'].includes(kind))
  return items
    .slice(last + 1)
    .flatMap(item => (item.kind === 'offered' ? item.proposals.map(({ id }) => id) : []))
}

const topOf = (row: Element) => row.getBoundingClientRect().top

/**
 * The first row whose top is in view, else the row that fills the view. A row that only ends in view would
 * leave it after a small move, and the list would then unmount it.
 */
function inSight(scroller: Element): Place | undefined {
  const from = topOf(scroller)
  const rows = [...scroller.querySelectorAll<HTMLElement>('.column')]
    .filter(each => each.getBoundingClientRect().bottom > from)
    .toSorted((a, b) => topOf(a) - topOf(b))
  const begins = rows[0] && topOf(rows[0]) < from ? rows[1] : rows[0]
  const row = begins && topOf(begins) < scroller.getBoundingClientRect().bottom ? begins : rows[0]
  return row && { key: row.dataset['item']!, top: topOf(row) }
}

function holdStill(scroller: Element | null, place: Place | undefined, frames = FRAMES): void {
  if (!scroller || !place || frames === 0) return
  const row = scroller.querySelector(`[data-item="${CSS.escape(place.key)}"]`)
  const moved = row ? topOf(row) - place.top : 0
  if (Math.abs(moved) >= 1) scroller.scrollTop += moved
  requestAnimationFrame(() => holdStill(scroller, place, frames - 1))
}

function afterFrames(frames: number, run: () => void): void {
  requestAnimationFrame(() => (frames === 1 ? run() : afterFrames(frames - 1, run)))
}
