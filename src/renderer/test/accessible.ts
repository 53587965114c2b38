import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

const all: RunOptions = { resultTypes: ['violations'] }
const colours: RunOptions = { ...all, runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * Expect no accessibility violations in the light and dark themes. Both have the same elements,
 * so the dark theme is checked for colour contrast only; with `colours`, the light one too.
 */
export async function expectAccessible(what: { colours: boolean } = { colours: false }): Promise<void> {
  const { dataset } = document.documentElement
  for (const theme of ['light', 'dark'] as const) {
    dataset['theme'] = theme
    // Colours in mid-transition would give a wrong contrast.
    for (const animation of document.getAnimations()) animation.cancel()
    const { violations } = await axe.run(document, theme === 'light' && !what.colours ? all : colours)
    const told = violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)
    expect(told, theme).toEqual([])
  }
  delete dataset['theme']
}

/** The same at a window width, where nothing may overflow horizontally. */
export async function expectAccessibleAt(width: number): Promise<void> {
  await page.viewport(width, 800)
  // Components that depend on the width have updated by the next frame.
  await new Promise(resolve => requestAnimationFrame(resolve))
  const boxes = [...document.querySelectorAll('[role="tabpanel"], dialog, form, .settings-content')]
  for (const box of boxes) expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  await expectAccessible()
}
