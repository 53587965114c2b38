import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aHistory } from '../../test/messages.ts'
import { button, showWindow } from '../../test/show-window.tsx'

const segment = (words: string) => button(`${words}. Show what was learned`)

test('the status bar shows the state of learning, and links to the Activity page', async () => {
  const host = await showWindow(
    ({ seed }) => void seed.chat({ id: 'c1', title: 'Tools', messages: aHistory(1) }),
    { config: { learning: { mode: 'ask' } } },
  )
  await expect.element(segment('Learning idle')).toBeVisible()
  await host.elsewhere['learning.review']({ sessionId: 'c1' })
  const look = await host.nextAsked()
  await expect.element(segment('Reviewing')).toBeVisible()
  await look.say('{"worth": true, "facts": ["Uses pnpm."], "procedure": null}')
  const review = await host.nextAsked()
  await review.call('memory', { target: 'user', action: 'add', content: 'Uses pnpm.' })
  await review.end()
  await (await host.nextAsked()).say('Done.')
  await expect.element(segment('1 waiting')).toBeVisible()
  await host.elsewhere['learning.review']({ sessionId: 'c1' })
  const again = await host.nextAsked()
  await expect.element(segment('Reviewing · 1 waiting')).toBeVisible()
  await again.say('{"worth": false}')
  await segment('1 waiting').click()
  await expect.element(page.getByRole('heading', { name: 'Activity', exact: true })).toBeVisible()
})

test('the status bar says that learning is off; a very narrow window shows only waiting cards', async () => {
  const host = await showWindow()
  await host.elsewhere['learning.settings']({ mode: 'off' })
  await expect.element(segment('Learning off')).toBeVisible()
  await page.viewport(420, 800)
  await expect.element(segment('Learning off')).not.toBeInTheDocument()
  await host.seed.proposal({ headline: 'Uses pnpm.' })
  await host.seed.proposal({ headline: 'Uses zsh.' })
  host.publish({ type: 'changed', areas: ['learning'] })
  await expect.element(segment('2 waiting')).toBeVisible()
})
