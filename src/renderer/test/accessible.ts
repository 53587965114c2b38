import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'

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
