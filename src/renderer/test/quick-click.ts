import { page, userEvent, type Locator } from 'vitest/browser'

// Playwright finds an element again for each of its checks. A click took 74 ms that way and 14 ms with the mouse alone. So
// an element that can be clicked now is pressed with the mouse, at the place that the page knows. All others are left to
// Playwright, which waits or says why an element cannot be clicked. A click that does not arrive is left to it too.

type Click = Locator['click']

/** The class of all locators; its `click` leads to Playwright. */
const locators = Object.getPrototypeOf(page.getByRole('button')) as { click: Click }
const byPlaywright: Click = locators.click

locators.click = async function click(this: Locator, options) {
  const element = options === undefined ? await readyIn(this) : undefined
  if (!element || !(await press(element))) await byPlaywright.call(this, options)
}

/** The element, if there is exactly one and Playwright would click it now (https://playwright.dev/docs/actionability). */
async function readyIn(locator: Locator): Promise<Element | undefined> {
  const [element, ...others] = locator.elements()
  if (!element || others.length > 0 || !canBeHit(element)) return undefined
  const before = element.getBoundingClientRect()
  await new Promise(resolve => requestAnimationFrame(resolve))
  const after = element.getBoundingClientRect()
  const isStill = (['x', 'y', 'width', 'height'] as const).every(side => before[side] === after[side])
  return isStill && canBeHit(element) ? element : undefined
}

function canBeHit(element: Element): boolean {
  if (element.matches(':disabled') || element.closest('[aria-disabled="true"]')) return false
  const { x, y } = middleOf(element)
  const hit = document.elementFromPoint(x, y)
  return hit !== null && element.contains(hit) && element.checkVisibility({ visibilityProperty: true })
}

function middleOf(element: Element): { x: number; y: number } {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}

const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const

/**
 * Press the mouse on an element; returns whether the click arrived. When the page moves just then, something else is under
 * the mouse: nothing else gets the click.
 */
async function press(element: Element): Promise<boolean> {
  let isMissed = false
  let hasArrived = false
  const look = (event: Event) => {
    const target = event.target as Node
    if (event.type === 'pointerdown') isMissed = !element.contains(target)
    // Pressed here and let go elsewhere: then the click goes to what holds both.
    if (event.type === 'click') isMissed ||= target !== element && target.contains(element)
    hasArrived ||= event.type === 'click' && !isMissed
    if (!isMissed) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  for (const kind of kinds) addEventListener(kind, look, { capture: true })
  try {
    await userEvent.pointer({ keys: '[MouseLeft]', coords: middleOf(element) })
  } finally {
    for (const kind of kinds) removeEventListener(kind, look, { capture: true })
  }
  // What acts on the press itself may take the element away.
  return hasArrived || !element.isConnected
}
