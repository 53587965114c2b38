/** An ancestor of the focused element, and the index of its child on the path to it. */
type Step = { holder: Element; index: number }

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), summary, [tabindex]:not([tabindex="-1"])'

/** How many frames the code that closed something has to move the focus itself. */
const PATIENCE = 2

/**
 * Moves the focus to a nearby element if the focused one is removed, such as a closed field. The browser
 * would move it to the page, where keys do nothing and a screen reader starts over. Code that knows a better
 * target can move it first. Returns a function that stops this.
 */
export function keepFocus(page: Document = document): () => void {
  let focused: Element | null = null
  let steps: Step[] = []
  // Only the ancestors of the focused element are observed, each for its own children.
  const changes = new MutationObserver(() => focused && !focused.isConnected && after(PATIENCE))

  const onFocus = ({ target }: Event) => {
    if (!(target instanceof Element)) return
    focused = target
    steps = stepsTo(target)
    changes.disconnect()
    for (const { holder } of steps) changes.observe(holder, { childList: true })
  }
  function after(frames: number): void {
    requestAnimationFrame(() => {
      if (frames > 1) return after(frames - 1)
      const isLost = page.activeElement === page.body || page.activeElement === null
      if (focused === null || focused.isConnected || !isLost) return
      focused = null
      nearestTo(steps)?.focus({ preventScroll: true })
    })
  }

  page.addEventListener('focusin', onFocus)
  return () => {
    page.removeEventListener('focusin', onFocus)
    changes.disconnect()
  }
}

function stepsTo(element: Element): Step[] {
  const steps: Step[] = []
  for (let at = element, holder = at.parentElement; holder; at = holder, holder = at.parentElement)
    steps.push({ holder, index: [...holder.children].indexOf(at) })
  return steps
}

/** The nearest focusable element after a removed one, or else before it. */
function nearestTo(steps: readonly Step[]): HTMLElement | undefined {
  for (const { holder, index } of steps) {
    if (!holder.isConnected) continue
    const all = [...holder.querySelectorAll<HTMLElement>(TABBABLE)].filter(isSeen)
    const place = holder.children[index]
    const next = all.find(each => !place || place.contains(each) || follows(place, each))
    const found = (place ? next : undefined) ?? all.at(-1)
    if (found) return found
    if (holder instanceof HTMLElement && holder.matches(TABBABLE)) return holder
  }
  return undefined
}

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })
const follows = (place: Element, each: Element): boolean =>
  (place.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
