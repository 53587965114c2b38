import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { View } from './chats.ts'

/** Nearer to the end than this many pixels counts as being there. */
const NEAR = 40

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
  const before = useRef({ top: 0, height: 0 })

  const stick = () => {
    const element = scroller.current
    if (element && view.following) element.scrollTop = element.scrollHeight
  }
  const follow = (following: boolean) => {
    view.following = following
    setAway(!following)
  }

  useLayoutEffect(stick)

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (!view.following) list.current?.scrollTo(view.offset)
    // Rows get their real height only after they are drawn, and pictures and code grow later still.
    const grown = new ResizeObserver(stick)
    grown.observe(element)
    if (element.firstElementChild) grown.observe(element.firstElementChild)
    return () => grown.disconnect()
    // `stick` reads only refs and `view`, which are the same for the life of the component.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [scroller, list, view])

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
    jump: () => {
      follow(true)
      stick()
      scroller.current?.focus({ preventScroll: true })
    },
    onScroll: () => {
      const element = scroller.current
      if (!element) return
      const { scrollTop: top, scrollHeight: height, clientHeight } = element
      const near = height - top - clientHeight < NEAR
      // Content that shrinks moves the place as well; only a reader goes up while nothing shrinks.
      const wentUp = top < before.current.top - 1 && height >= before.current.height
      before.current = { top, height }
      if (near && !view.following) follow(true)
      else if (wentUp && !near && view.following) follow(false)
    },
  }
}
