import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useChat, type View } from '../store/open-chats.ts'
import { rowOf, type TranscriptRow } from './transcript-rows.ts'

/** A distance from the end below this many pixels counts as being at the end. */
const NEAR = 40

/** Pause in following after wheel, touch or key input, in ms, so that scrolling does not fight the user. */
const TOUCHED_MS = 150

/** Time after a jump starts, in ms, during which being near the end does not resume following. */
const JUMP_MS = 600

/** A jump to a message. */
type Jump = { isWanted: () => boolean; arrived: () => void }

type Options = {
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  view: View
  count: number
  pending: string | null
}

/**
 * Keep the end of the transcript in view until the reader scrolls up, and again once they return to the end.
 * Restores the scroll position of a chat that was left while scrolled up.
 */
export function useFollowScroll({ scroller, list, view, count, pending }: Options) {
  const [away, setAway] = useState(!view.following)
  const before = useRef({ top: 0, height: 0, touchedAt: 0, stuckAt: 0, jumpedAt: -JUMP_MS })

  const follow = (following: boolean) => {
    view.following = following
    setAway(!following)
  }
  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop: top, scrollHeight: height, clientHeight } = element
    const near = height - top - clientHeight < NEAR
    // Shrinking content also moves the position. Without shrinking, only the reader moves up.
    const wentUp = top < before.current.top - 1 && height >= before.current.height
    Object.assign(before.current, { top, height })
    const jumped = performance.now() - before.current.jumpedAt < JUMP_MS
    if (near && !view.following && !jumped) follow(true)
    else if (wentUp && !near && view.following) follow(false)
  }
  const scrollToEnd = () => {
    const element = scroller.current
    if (!element || !view.following) return
    const { touchedAt, stuckAt } = before.current
    // On a busy machine the scroll event arrives long after the scroll.
    if (touchedAt > stuckAt) onScroll()
    const now = performance.now()
    if (!view.following || now - touchedAt < TOUCHED_MS) return
    element.scrollTop = element.scrollHeight
    Object.assign(before.current, { top: element.scrollTop, height: element.scrollHeight, stuckAt: now })
  }

  useLayoutEffect(scrollToEnd)

  useLayoutEffect(() => {
    if (!view.following) list.current?.scrollTo(view.offset)
  }, [list, view])

  useLayoutEffect(() => {
    const element = scroller.current
    const touched = () => {
      before.current.touchedAt = performance.now()
    }
    const kinds = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
    for (const kind of kinds) element?.addEventListener(kind, touched, { passive: true })
    return () => {
      for (const kind of kinds) element?.removeEventListener(kind, touched)
    }
  }, [scroller])

  // Leaving the chat: save the scroll position.
  useLayoutEffect(() => {
    const handle = list.current
    return () => {
      if (handle) Object.assign(view, { cache: handle.cache, offset: handle.scrollOffset, count })
    }
  }, [list, view, count])

  // A user who sends a message wants to see the answer.
  useEffect(() => {
    if (pending === null) return
    follow(true)
    scrollToEnd()
    // oxlint-disable-next-line react/exhaustive-deps -- only a new message matters
  }, [pending])

  return {
    away,
    /** Call this when rows are measured, and when images or code blocks grow. */
    scrollToEnd,
    /**
     * Stop following the end and scroll to a position now. `isWanted` returns whether the reader still wants
     * the jump. `arrived` is called at the target, where the end may be in view again.
     */
    stopFollowing: (): Jump => {
      const jumpedAt = performance.now()
      before.current.jumpedAt = jumpedAt
      follow(false)
      return {
        isWanted: () => !view.following && before.current.touchedAt < jumpedAt,
        arrived: () => {
          const element = scroller.current
          // Resume only at the exact end: the view must not move after a jump.
          if (element && element.scrollHeight - element.scrollTop - element.clientHeight < 2) follow(true)
        },
      }
    },
    jump: () => {
      follow(true)
      scrollToEnd()
      scroller.current?.focus({ preventScroll: true })
    },
    onScroll,
  }
}

/** How long the target row stays highlighted, in ms. */
const MARK_MS = 2_500

/** For how many frames to look for the target again. Rows get their real height only when rendered. */
const FRAMES = 40
/** How many frames without movement until the target counts as reached. */
const STILL = 6

/** Pixels to leave above a row that does not fit. */
const ABOVE = 16

type GoalOptions = {
  items: readonly TranscriptRow[]
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  /** Stop following the end during the jump to the message. */
  stopFollowing: () => Jump
}

/** Scroll to the target message once it is loaded; returns the key of its row while that is highlighted. */
export function useGoal({ items, scroller, list, stopFollowing }: GoalOptions): string | null {
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
    const jump = stopFollowing()
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
