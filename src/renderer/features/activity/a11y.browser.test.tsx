import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button } from '../../test/show-window.tsx'
import type { PreparedHost, TestHost } from '../../test/test-host.ts'
import { choose, fill, headline, press, showActivity, tab } from './test-activity.ts'

const pnpm = 'Uses pnpm for packages.'

/** Everything that can stand on the page at once. */
function busy(host: PreparedHost) {
  fill(host)
  const { seed } = host
  void seed.edit({ id: 'bern', text: 'Lives in Biel.', actor: 'you' })
  void seed.proposal({ headline: 'Has a garden.', at: Date.now() - 31 * 86_400_000 })
  void seed.review({ sessionId: null, trigger: 'events', state: 'queued', endedAt: null })
  void seed.review({ sessionId: 'c1', state: 'failed', outcome: 'The model gave no answer.' })
  for (const state of ['rejected', 'undone', 'dropped'] as const)
    void seed.proposal({ headline: `It was ${state}.`, state })
}

/** One review runs, and the other one waits until a chat was answered. */
async function before(host: TestHost) {
  await host.elsewhere['learning.review']({ sessionId: 'c1' })
  await host.nextAsked()
  await host.elsewhere['chat.send']({ sessionId: 'c2', text: 'Hello' })
}

type Options = NonNullable<Parameters<typeof showActivity>[1]>

const screens: Record<string, (options: Options) => Promise<unknown>> = {
  'the page with all that can be on it': async options => {
    await showActivity(busy, { ...options, before })
    await headline('The build is started with make.').click()
    await expect.element(page.getByText(/saved it itself/)).toBeVisible()
    await expect.element(page.getByText('It waits until nobody is being answered.')).toBeVisible()
    await expect.element(page.getByText('Looking back at “Setting up the project”')).toBeVisible()
  },
  'a page with nothing': async options => {
    await showActivity(() => {}, options)
    await expect.element(page.getByText('Nothing was learned yet')).toBeVisible()
  },
  'a card being written': async options => {
    await showActivity(fill, options)
    await press('Edit and keep', pnpm).click()
    await expect.element(page.getByRole('textbox', { name: 'Text to keep' })).toHaveFocus()
  },
  'cards selected, and a menu': async options => {
    await showActivity(fill, options)
    await page.getByRole('checkbox', { name: `Select “${pnpm}”` }).click()
    await button(`More for “${pnpm}”`).click()
  },
  'questions in place, and a rule that was written': async options => {
    await showActivity(fill, options)
    await press('Not this kind again', pnpm).click()
    await expect.element(page.getByText(/A rule was written/)).toBeVisible()
    await choose('Lives in Basel.', 'Undo everything from this chat')
    await expect.element(page.getByText(/^Take back/)).toBeVisible()
    await button('Reject all').click()
  },
  'the timeline': async options => {
    await showActivity(busy, { ...options, before })
    await tab(/^Timeline/).click()
    await expect.element(page.getByRole('list', { name: 'Weeks' })).toBeVisible()
  },
  'how it learns': async options => {
    await showActivity(host => {
      fill(host)
      void host.seed.rule({ text: 'Nothing about my health' })
    }, options)
    await tab(/^How it learns/).click()
    await expect.element(page.getByText('Nothing about my health')).toBeVisible()
    await page.getByRole('textbox', { name: 'Seconds of quiet' }).fill('x')
  },
  'a very narrow window': async options => {
    await page.viewport(420, 800)
    await showActivity(busy, { ...options, before })
    await expect.element(headline(pnpm)).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(420)
    const panel = document.querySelector('[role="tabpanel"]')!
    expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth)
  },
}

const cases = Object.keys(screens).flatMap(name => [[name, 'light'] as const, [name, 'dark'] as const])

test.for(cases)('nothing stands in the way of anyone in %s, %s', async ([name, theme]) => {
  await screens[name]!({ config: { ui: { theme } } })
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
