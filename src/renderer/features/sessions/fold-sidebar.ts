import { useState } from 'react'
import { flushSync } from 'react-dom'
import { keepValue, readKept } from '../../ui/local-storage.ts'

const KEPT = 'sidebar'
const FOLDED = 'folded'

/** Whether the sidebar of a wide window is collapsed, and how to change it. The window remembers it. */
export function useFoldedSidebar(): { isFolded: boolean; toggleFold: () => void } {
  const [isFolded, setFolded] = useState(() => readKept(KEPT) === FOLDED)
  const toggleFold = () => {
    // The focused element in the sidebar disappears; the button that expands it again gets the focus.
    const hadFocus = document.activeElement?.closest('aside') != null
    keepValue(KEPT, isFolded ? '' : FOLDED)
    flushSync(() => setFolded(!isFolded))
    if (hadFocus) document.querySelector<HTMLElement>('[data-fold]')?.focus()
  }
  return { isFolded, toggleFold }
}
