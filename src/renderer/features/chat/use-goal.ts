import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useChat } from './chats.ts'
import { rowOf, type Item } from './items.ts'
import type { Jump } from './use-follow-scroll.ts'

/** How long the target row stays highlighted, in ms. */
const MARK_MS = 2_500

/** Frames during which to find the target again. Rows on the way get their real height only when drawn. */
const FRAMES = 40
/** Frames without movement after which the target counts as reached. */
const STILL = 6

/** Pixels to leave above a row that does not fit. */
const ABOVE = 16

type Options = {
  items: readonly Item[]
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  /** Stop following the end during the jump to the message. */
  letGo: () => Jump
}

/** Scroll to the target message once it is loaded; returns the key of its row while that is highlighted. */
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
      // Centre the row. If it is taller than the window, show its start.
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
