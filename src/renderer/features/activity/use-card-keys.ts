import { useEffect } from 'react'
import { moveByKey, pressByKey } from './card-focus.ts'

/** Elements that handle keys themselves. */
const OWN_KEYS =
  'input:not([type="checkbox"]), textarea, select, dialog, [popover], [contenteditable]:not([contenteditable="false"]), [role="tab"]'

const moves = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' } as const

/** Arrows, Home and End move between cards; a letter presses the card button labelled with it. */
export function useCardKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
      if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey || shiftKey) return
      const element = target as Element
      const isHere = element === document.body || element.closest('[data-activity]') !== null
      if (!isHere || element.closest(OWN_KEYS)) return
      const move = moves[key as keyof typeof moves]
      if (move ? moveByKey(move) : /^\p{L}$/u.test(key) && pressByKey(key.toLowerCase()))
        event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
