import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

const ofColours = ['color-contrast', 'link-in-text-block']
const all: RunOptions = { resultTypes: ['violations'] }
const colours: RunOptions = { ...all, runOnly: ofColours }
const others: RunOptions = {
  ...all,
  rules: Object.fromEntries(ofColours.map(id => [id, { enabled: false }])),
}

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
    await expectNoViolations(theme === 'light' && !what.colours ? all : colours, theme)
  }
  delete dataset['theme']
}

/**
 * The same at window widths, where nothing may overflow horizontally. Elements have the same colours at every width, so
 * these are checked at the first one only.
 */
export async function expectAccessibleAt(first: number, ...more: number[]): Promise<void> {
  await becomeWide(first)
  await expectAccessible()
  for (const width of more) {
    await becomeWide(width)
    await expectNoViolations(others, `${width} pixels wide`)
  }
}

async function becomeWide(width: number): Promise<void> {
  await page.viewport(width, 800)
  // Components that depend on the width have updated by the next frame.
  await new Promise(resolve => requestAnimationFrame(resolve))
  const boxes = [...document.querySelectorAll('[role="tabpanel"], dialog, form, .settings-content')]
  for (const box of boxes) expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
}

async function expectNoViolations(options: RunOptions, where: string): Promise<void> {
  const { violations } = await axe.run(document, options)
  const told = violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)
  expect(told, where).toEqual([])
}
