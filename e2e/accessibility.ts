import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The accessibility violations that axe finds in a part of the window, with their places. */
export async function findViolations(page: Page, part = 'body'): Promise<string[]> {
  // During a transition, a colour has intermediate contrast.
  const changing = 'document.getAnimations().filter(each => each instanceof CSSTransition).length'
  await expect.poll(() => page.evaluate(changing)).toBe(0)
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(await readFile(axe, 'utf8'))
  const options: RunOptions = { resultTypes: ['violations'] }
  const given = `${JSON.stringify(part)}, ${JSON.stringify(options)}`
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${given})`)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help} – ${node.target.join(' ')}`),
  )
}

/**
 * Make observers never report anything, as before the first paint on a slow machine. Call it before the
 * window loads.
 */
export const silenceObservers = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    class Silent { observe() {} unobserve() {} disconnect() {} takeRecords() { return [] } }
    Object.assign(globalThis, { ResizeObserver: Silent, MutationObserver: Silent, IntersectionObserver: Silent })
  `)

/**
 * Scrollable regions, overflowing or not, that the keyboard cannot reach: they are not focusable and contain
 * nothing focusable.
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
