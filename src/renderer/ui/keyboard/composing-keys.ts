/** WebKit ends a composition before the key that ended it arrives, and gives both within the same task. */
const SAME_KEY_MS = 30

/**
 * Takes the keys of an input method out of the window before anything hears them: Enter and Escape end a choice of signs there, and an
 * arrow moves in its list. All keys of this window pass here first, so no handler asks for itself. Returns how to end it.
 *
 * Such a key has `isComposing`, or the code 229 that input methods send (UI Events, section 5.4.5), which WebKit does after the end of
 * the composition too.
 */
export function guardComposing(page: Window = window): () => void {
  let endedAt = -Infinity
  let isSameTask = false

  const onEnd = ({ timeStamp }: Event) => {
    endedAt = timeStamp
    isSameTask = true
    page.setTimeout(() => {
      isSameTask = false
    })
  }
  const onKey = (event: KeyboardEvent) => {
    const isLate = isSameTask && Math.abs(event.timeStamp - endedAt) < SAME_KEY_MS
    if (!event.isComposing && event.keyCode !== 229 && !isLate) return
    event.stopImmediatePropagation()
    // The browser itself would close the dialog around the field.
    if (event.key === 'Escape') event.preventDefault()
  }

  page.addEventListener('compositionend', onEnd, true)
  page.addEventListener('keydown', onKey, true)
  return () => {
    page.removeEventListener('compositionend', onEnd, true)
    page.removeEventListener('keydown', onKey, true)
  }
}
