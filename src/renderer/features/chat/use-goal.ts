import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useChat } from './chats.ts'
import { rowOf, type Item } from './items.ts'
import type { Jump } from './use-follow.ts'

/** How long the row that was looked for stays marked, in milliseconds. */
const MARK_MS = 2_500

/** Rows on the way get their real height as they are drawn, so the place is looked for again for some frames. */
const FRAMES = 40
/** It is found when it has not moved for so many of them. */
const STILL = 6

/** Pixels that are left above a row that does not fit. */
const ABOVE = 16

type Options = {
  items: readonly Item[]
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  /** Stop to follow the end, for the way to the message. */
  letGo: () => Jump
}

/** Scroll to the message that somebody wants to see, once it is held; returns the key of its row while that is marked. */
export function useGoal({ items, scroller, list, letGo }: Options): string | null {
  const goal = useChat(chat => chat.goal)
  const arrived = useChat(chat => chat.arrived)
  const [marked, setMarked] = useState<{ key: string } | null>(null)
  const newest = useRef(items)
  useLayoutEffect(() => {
    newest.current = items
  }, [items])

  useLayoutEffect(() => {
    if (goal === null) return
    arrived()
    const key = newest.current[rowOf(newest.current, goal)]?.key
    if (key === undefined) return
    const jump = letGo()
    setMarked({ key })

    let still = 0
    const approach = (frame: number) => {
      const [element, rows] = [scroller.current, list.current]
      const index = newest.current.findIndex(item => item.key === key)
      if (!element || !rows || index < 0 || !jump.isWanted()) return
      const room = element.clientHeight - rows.getItemSize(index)
      const before = element.scrollTop
      // In the middle; of a row that is higher than the window, the beginning.
      element.scrollTop = rows.getItemOffset(index) - Math.max(ABOVE, room / 2)
      still = Math.abs(element.scrollTop - before) < 1 ? still + 1 : 0
      if (still < STILL && frame < FRAMES) requestAnimationFrame(() => approach(frame + 1))
      else jump.arrived()
    }
    approach(0)
    // oxlint-disable-next-line react/exhaustive-deps -- one jump for each goal, whatever changes meanwhile
  }, [goal])

  useEffect(() => {
    if (marked === null) return
    const timer = setTimeout(() => setMarked(null), MARK_MS)
    return () => clearTimeout(timer)
  }, [marked])

  return marked?.key ?? null
}
