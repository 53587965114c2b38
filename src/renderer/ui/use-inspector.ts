import { useState } from 'react'
import { keep, readKept } from './kept.ts'
import { useMedia } from './use-media.ts'

/** The panel beside a page. In a wide window it stands there until it is closed; in a narrow one it lies over the page. */
export type InspectorState = {
  open: boolean
  wide: boolean
  show: () => void
  hide: () => void
}

/** The panel of a page: closed at first, and in a wide window as the person left it. */
export function useInspector(page: string): InspectorState {
  // With less, the list of chats and the panel leave no room for the chat between them.
  const wide = useMedia('(min-width: 64rem)')
  const key = `inspector.${page}`
  const [beside, setBeside] = useState(() => readKept(key) === 'open')
  // What lies over the page is opened each time anew, and never by a window that only got narrower.
  const [over, setOver] = useState(false)
  const set = (open: boolean) => {
    if (!wide) return setOver(open)
    keep(key, open ? 'open' : 'closed')
    setBeside(open)
  }
  return { open: wide ? beside : over, wide, show: () => set(true), hide: () => set(false) }
}
