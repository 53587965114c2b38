import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What stands in somebody's way in a part of the window, as axe sees it, with the place. */
export async function obstacles(page: Page, part = 'body'): Promise<string[]> {
  // A colour on its way to another one has neither's contrast.
  const changing = 'document.getAnimations().filter(each => each instanceof CSSTransition).length'
  await expect.poll(() => page.evaluate(changing)).toBe(0)
  const { violations } = await new AxeBuilder({ page }).include(part).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help} – ${node.target.join(' ')}`),
  )
}

/** Before the window is loaded: no observer ever reports anything, as at the first paint on a slow machine. */
export const silenceObservers = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    class Silent { observe() {} unobserve() {} disconnect() {} takeRecords() { return [] } }
    Object.assign(globalThis, { ResizeObserver: Silent, MutationObserver: Silent, IntersectionObserver: Silent })
  `)

/**
 * Regions that could scroll, whether they overflow at the moment or not, and that no key reaches:
 * they are no stop themselves and hold none.
 */
export const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const scrolls = element => /auto|scroll/.test(getComputedStyle(element).overflow)
    const isStop = element => element.tabIndex >= 0 && !element.matches(':disabled')
    return [...document.querySelectorAll('body *')]
      .filter(element => element.checkVisibility() && element.textContent !== '' && scrolls(element))
      .filter(element => !isStop(element) && ![...element.querySelectorAll('*')].some(isStop))
      .map(element => element.outerHTML.slice(0, 200))
  })()`)
