import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessible.ts'
import { button } from '../../test/show-window.tsx'
import type { PreparedHost, TestHost } from '../../test/test-host.ts'
import { choose, fill, headline, press, showActivity, tab } from '../../test/activity.ts'

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

const screens: Record<string, () => Promise<unknown>> = {
  'the page with all that can be on it': async () => {
    await showActivity(busy, { before })
    await headline('The build is started with make.').click()
    await expect.element(page.getByText(/saved it while answering/)).toBeVisible()
    await expect.element(page.getByText('It waits until no answer is running.')).toBeVisible()
    await expect.element(page.getByText('Reviewing “Setting up the project”').first()).toBeVisible()
  },
  'a page with nothing': async () => {
    await showActivity(() => {})
    await expect.element(page.getByText('Nothing learned yet')).toBeVisible()
  },
  'a card being written': async () => {
    await showActivity()
    await press('Edit and keep', pnpm).click()
    await expect.element(page.getByRole('textbox', { name: 'Text to keep' })).toHaveFocus()
  },
  'cards selected, and a menu': async () => {
    await showActivity()
    await page.getByRole('checkbox', { name: `Select “${pnpm}”` }).click()
    await button(`More for “${pnpm}”`).click()
  },
  'questions in place, and a rule that was written': async () => {
    await showActivity()
    await press('Not this kind again', pnpm).click()
    await expect.element(page.getByText(/Rule added/)).toBeVisible()
    await choose('Lives in Basel.', 'Undo everything from this chat')
    await expect.element(page.getByText(/^Undo \d/)).toBeVisible()
    await button('Reject all').click()
  },
  'the timeline': async () => {
    await showActivity(busy, { before })
    await tab(/^Timeline/).click()
    await expect.element(page.getByRole('list', { name: 'Weeks' })).toBeVisible()
  },
  'how it learns': async () => {
    await showActivity(host => {
      fill(host)
      void host.seed.rule({ text: 'Nothing about my health' })
    })
    await tab(/^How it learns/).click()
    await expect.element(page.getByText('Nothing about my health')).toBeVisible()
    await page.getByRole('textbox', { name: 'Seconds of quiet' }).fill('x')
  },
  'a very narrow window': async () => {
    await page.viewport(420, 800)
    await showActivity(busy, { before })
    await expect.element(headline(pnpm)).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(420)
    const panel = document.querySelector('[role="tabpanel"]')!
    expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth)
  },
}

test.for(Object.keys(screens))('%s: no accessibility violations, light and dark', async name => {
  await screens[name]!()
  await expectAccessible()
})
