import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, showApp } from '../../test/show-app.tsx'

const segment = (words: string) => button(`${words}. Show what was learned`)

test('the status bar says how learning stands, and leads to the Activity page', async () => {
  const host = await showApp()
  await expect.element(segment('Learning idle')).toBeVisible()
  const { id } = host.learning.review({ state: 'running' })
  await expect.element(segment('Reviewing')).toBeVisible()
  host.learning.propose({ headline: 'Uses pnpm.' })
  await expect.element(segment('Reviewing · 1 waiting')).toBeVisible()
  host.learning.change(id, { state: 'done', endedAt: Date.now() })
  await segment('1 waiting').click()
  await expect.element(page.getByRole('heading', { name: 'Activity', exact: true })).toBeVisible()
})

test('learning that is off says so, and a very narrow window shows only what matters', async () => {
  const host = await showApp()
  await host.link.client['learning.settings']({ mode: 'off' })
  host.publish({ type: 'learning', open: 0 })
  await expect.element(segment('Learning off')).toBeVisible()
  await page.viewport(420, 800)
  await expect.element(segment('Learning off')).not.toBeInTheDocument()
  host.publish({ type: 'learning', open: 2 })
  await expect.element(segment('2 waiting')).toBeVisible()
})
