import { useEffect } from 'react'
import { moveByKey, pressByKey } from './rows.ts'

/** What is typed or chosen with keys of its own. */
const OWN_KEYS =
  'input:not([type="checkbox"]), textarea, select, dialog, [popover], [contenteditable]:not([contenteditable="false"]), [role="tab"]'

const moves = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' } as const

/** Arrows, Home and End go from card to card; a letter presses the button of the card that shows it. */
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
