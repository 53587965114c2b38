import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { View } from '../store/open-chats.ts'
import { messagesOf, type TranscriptRow } from './transcript-rows.ts'

type Options = {
  items: readonly TranscriptRow[]
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  view: View
  /** Stop following the end. */
  stopFollowing: () => unknown
  /** Go to the end and follow it. */
  jump: () => void
}

/** Lets other parts save and restore the reading position: the row and how far it was scrolled. */
export function useReadingPlace(options: Options): void {
  const newest = useRef(options)
  useLayoutEffect(() => {
    newest.current = options
  })
  const { view } = options
  useLayoutEffect(() => {
    const rowInView = () => {
      const { items, list, scroller } = newest.current
      if (!list.current || !scroller.current) return undefined
      const index = list.current.findItemIndex(scroller.current.scrollTop)
      return (
        items[index] && {
          index,
          key: items[index].key,
          within: scroller.current.scrollTop - list.current.getItemOffset(index),
        }
      )
    }
    // The view outlives its rendered rows, so this hook gives it functions to find the position.
    // oxlint-disable-next-line react/immutability
    view.place = {
      topId() {
        const { items } = newest.current
        const index = rowInView()?.index ?? -1
        const shown = items.slice(Math.max(0, index)).find(item => messagesOf(item).length > 0)
        return shown ? messagesOf(shown)[0]! : null
      },
      keep() {
        const wasFollowing = view.following
        const row = rowInView()
        return () => {
          const { items, list, scroller, stopFollowing, jump } = newest.current
          if (wasFollowing || !row) return jump()
          stopFollowing()
          // Rows get their real height only when rendered, so find the position again in the next frames.
          const back = (frame: number) => {
            const index = items.findIndex(item => item.key === row.key)
            if (index < 0 || !list.current || !scroller.current) return
            scroller.current.scrollTop = list.current.getItemOffset(index) + row.within
            if (frame < FRAMES) requestAnimationFrame(() => back(frame + 1))
          }
          back(0)
        }
      },
    }
    return () => {
      view.place = undefined
    }
  }, [view])
}

const FRAMES = 8
