import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

const all: RunOptions = { resultTypes: ['violations'] }
const colours: RunOptions = { ...all, runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * Expect that nothing on the page stands in the way of anyone, in the light and in the dark. The elements are the same in both,
 * so the dark ones are looked at for their colours only.
 */
export async function expectAccessible(): Promise<void> {
  const { dataset } = document.documentElement
  for (const theme of ['light', 'dark'] as const) {
    dataset['theme'] = theme
    // Colours that are on their way from one to another are neither.
    for (const animation of document.getAnimations()) animation.cancel()
    const { violations } = await axe.run(document, theme === 'light' ? all : colours)
    const told = violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)
    expect(told, theme).toEqual([])
  }
  delete dataset['theme']
}

/** The same after the window was made so wide, in which nothing may reach out of it to the side. */
export async function expectAccessibleAt(width: number): Promise<void> {
  await page.viewport(width, 800)
  // What is drawn otherwise at that width has heard of it by the next frame.
  await new Promise(resolve => requestAnimationFrame(resolve))
  const boxes = [...document.querySelectorAll('[role="tabpanel"], dialog, form, .settings-content')]
  for (const box of boxes) expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  await expectAccessible()
}
