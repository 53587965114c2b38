import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { View } from './chats.ts'

/** Nearer to the end than this many pixels counts as being there. */
const NEAR = 40

/** How long a hand on the wheel, the screen or the keys is waited for, so that the end does not pull against it. */
const TOUCHED_MS = 150

/** For so long after a jump to a message has begun, a place near the end is only one that it has come from. */
const JUMP_MS = 600

/** On the way to a message that somebody wants to see. */
export type Jump = { isWanted: () => boolean; arrived: () => void }

type Options = {
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  view: View
  count: number
  pending: string | null
}

/**
 * Keep the end of the transcript in sight until the reader scrolls up, and again once they are back at the end. A place
 * that was left while scrolled up is found again.
 */
export function useFollow({ scroller, list, view, count, pending }: Options) {
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
    // Content that shrinks moves the place as well; only a reader goes up while nothing shrinks.
    const wentUp = top < before.current.top - 1 && height >= before.current.height
    Object.assign(before.current, { top, height })
    const jumped = performance.now() - before.current.jumpedAt < JUMP_MS
    if (near && !view.following && !jumped) follow(true)
    else if (wentUp && !near && view.following) follow(false)
  }
  const stick = () => {
    const element = scroller.current
    if (!element || !view.following) return
    const { touchedAt, stuckAt } = before.current
    // On a busy machine the event of a scroll comes long after the scroll.
    if (touchedAt > stuckAt) onScroll()
    const now = performance.now()
    if (!view.following || now - touchedAt < TOUCHED_MS) return
    element.scrollTop = element.scrollHeight
    Object.assign(before.current, { top: element.scrollTop, height: element.scrollHeight, stuckAt: now })
  }

  useLayoutEffect(stick)

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

  // Leaving the chat: remember where the reader was.
  useLayoutEffect(() => {
    const handle = list.current
    return () => {
      if (handle) Object.assign(view, { cache: handle.cache, offset: handle.scrollOffset, count })
    }
  }, [list, view, count])

  // Whoever sends a message wants to see what comes of it.
  useEffect(() => {
    if (pending === null) return
    follow(true)
    stick()
    // oxlint-disable-next-line react/exhaustive-deps -- only a new message matters
  }, [pending])

  return {
    away,
    /** To be called when rows have got their real height, and when pictures and code have grown. */
    stick,
    /**
     * Leave the end for a place that is scrolled to now. `isWanted` tells whether the reader still wants to go there;
     * `arrived` is called at the place, where the end may be in sight again.
     */
    letGo: (): Jump => {
      const jumpedAt = performance.now()
      before.current.jumpedAt = jumpedAt
      follow(false)
      return {
        isWanted: () => !view.following && before.current.touchedAt < jumpedAt,
        arrived: () => {
          const element = scroller.current
          // Nothing may move any more, so being near is not enough.
          if (element && element.scrollHeight - element.scrollTop - element.clientHeight < 2) follow(true)
        },
      }
    },
    jump: () => {
      follow(true)
      stick()
      scroller.current?.focus({ preventScroll: true })
    },
    onScroll,
  }
}
