import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

const colourRules = ['color-contrast', 'link-in-text-block']
const all: RunOptions = { resultTypes: ['violations'] }
const colours: RunOptions = { ...all, runOnly: colourRules }
const elements: RunOptions = {
  ...all,
  rules: Object.fromEntries(colourRules.map(id => [id, { enabled: false }])),
}

/**
 * Long scrolling lists without anything to focus yet: their rows are rendered in the frames after the list
 * was measured.
 */
const undrawn = () =>
  [...document.querySelectorAll<HTMLElement>('.row-scroller')].filter(
    list =>
      list.tabIndex < 0 &&
      list.scrollHeight > list.clientHeight &&
      ![...list.querySelectorAll<HTMLElement>('*')].some(
        each => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }),
      ),
  )

/**
 * Expect no accessibility violations in the light and dark themes. Both have the same elements, so these are checked in the
 * light one only. `elements` or `colours` leave out the other half.
 */
export async function expectAccessible(what: 'all' | 'elements' | 'colours' = 'all'): Promise<void> {
  const { dataset } = document.documentElement
  await expect.poll(undrawn).toEqual([])
  for (const theme of ['light', 'dark'] as const) {
    const isLight = theme === 'light'
    if (what === 'elements' && !isLight) break
    dataset['theme'] = theme
    // Colours in mid-transition would give a wrong contrast.
    for (const animation of document.getAnimations()) animation.cancel()
    const options = what === 'all' && !isLight ? colours : { all, elements, colours }[what]
    const { violations } = await axe.run(document, options)
    const told = violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)
    expect(told, `${theme}, ${innerWidth} pixels wide`).toEqual([])
  }
  delete dataset['theme']
}

/**
 * The same at window widths, where nothing may overflow horizontally. Elements have the same colours at every width, so
 * these are checked at the first one only.
 */
export async function expectAccessibleAt(...widths: [number, ...number[]]): Promise<void> {
  for (const [index, width] of widths.entries()) {
    await becomeWide(width)
    await expectAccessible(index === 0 ? 'all' : 'elements')
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
