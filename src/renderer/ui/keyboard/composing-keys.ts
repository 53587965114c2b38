/** Maximum ms from the end of a composition to its key, which WebKit sends later in the same task. */
const SAME_KEY_MS = 30

/**
 * Stops key events of an input method before any handler sees them: there, Enter and Escape end the choice of
 * characters, and arrows move in its list. All keys of this window pass here first, so no handler has to
 * check. Returns a function that stops this.
 *
 * Such an event has `isComposing`, or the key code 229 of input methods (UI Events, section 5.4.5), which
 * WebKit also sends after the end of the composition.
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
