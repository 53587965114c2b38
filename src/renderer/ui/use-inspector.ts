import { useState } from 'react'
import { keep, readKept } from './kept.ts'
import { useMedia } from './use-media.ts'

/** The panel of a page: beside it in a wide window, over it in a narrow one. */
export type InspectorState = {
  open: boolean
  wide: boolean
  show: () => void
  hide: () => void
}

/** The panel state of a page. Closed by default; in a wide window the last state is restored. */
export function useInspector(page: string): InspectorState {
  // Below this width, the chat list and the panel leave too little space for the chat.
  const wide = useMedia('(min-width: 64rem)')
  const key = `inspector.${page}`
  const [beside, setBeside] = useState(() => readKept(key) === 'open')
  // The overlay is never restored and does not open when the window becomes narrower.
  const [over, setOver] = useState(false)
  const set = (open: boolean) => {
    if (!wide) return setOver(open)
    keep(key, open ? 'open' : 'closed')
    setBeside(open)
  }
  return { open: wide ? beside : over, wide, show: () => set(true), hide: () => set(false) }
}
