import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aTransfer, engineEvent, tellTransfers } from '../../test/a-computer.ts'
import { expectAccessible } from '../../test/accessible.ts'
import { aHistory } from '../../test/messages.ts'
import { button, composer, openWindow, say, showWindow, startHost } from '../../test/show-window.tsx'

const line = () => page.getByRole('contentinfo', { name: 'What is going on' })
const heading = (name: string) => page.getByRole('heading', { name, exact: true })

test('while nothing goes on there is no line, and proposals that wait make none', async () => {
  const host = await showWindow()
  await expect.element(composer()).toBeVisible()
  await expect.element(line()).not.toBeInTheDocument()
  await host.seed.proposal({ headline: 'Uses pnpm.' })
  host.publish({ type: 'changed', areas: ['learning'] })
  await expect.element(button(/^Activity 1/)).toBeVisible()
  await expect.element(line()).not.toBeInTheDocument()
})

test('a model that is loaded is told on every page with its share, and can be stopped', async () => {
  const host = await showWindow()
  host.publish(engineEvent({ phase: 'loading', modelId: 'builtin', modelName: 'Fox', progress: 0.4 }))
  await expect.element(line().getByText('Loading Fox: 40%')).toBeVisible()
  await button('Memory').click()
  await expect.element(heading('Memory')).toBeVisible()
  await expect.element(line().getByText('Loading Fox: 40%')).toBeVisible()
  await expectAccessible()
  await button('Stop loading Fox').click()
  await expect.poll(() => host.asked.at(-1)?.name).toBe('model.cancelLoad')
  host.publish(engineEvent({ phase: 'ready', modelId: 'builtin', modelName: 'Fox' }))
  await expect.element(line()).not.toBeInTheDocument()
})

test('a review is told with its chat, leads to Activity, and can be stopped', async () => {
  const host = await showWindow(
    ({ seed }) => void seed.chat({ id: 'c1', title: 'Tools', messages: aHistory(1) }),
    { config: { learning: { mode: 'ask' } } },
  )
  await host.elsewhere['learning.review']({ sessionId: 'c1' })
  await host.nextAsked()
  await line().getByRole('button', { name: 'Reviewing “Tools”' }).click()
  await expect.element(heading('Activity')).toBeVisible()
  await button('Stop the review').click()
  await expect.element(line()).not.toBeInTheDocument()
  const { reviews } = await host.elsewhere['learning.activity']({ limit: 1 })
  expect(reviews.some(({ state }) => state === 'running')).toBe(false)
})

test('an answer in a chat that is not shown is told, and can be shown and stopped', async () => {
  const host = await showWindow()
  await say('Hello')
  await (await host.nextAsked()).write('It is')
  await expect.element(page.getByText('It is', { exact: true })).toBeVisible()
  await expect.element(line()).not.toBeInTheDocument()
  await button('Memory').click()
  await line().getByRole('button', { name: '“Hello” is being answered', exact: true }).click()
  await expect.element(composer()).toBeVisible()
  await button('Memory').click()
  await button('Stop the answer in “Hello”').click()
  await expect.element(line()).not.toBeInTheDocument()
})

test('several answers are counted and listed', async () => {
  const host = await showWindow()
  for (const text of ['First', 'Second']) {
    await button('New chat').first().click()
    await say(text)
    await (await host.nextAsked()).write('Well')
  }
  await button('Memory').click()
  await button('2 chats are being answered').click()
  await page
    .getByRole('list', { name: 'Chats that are being answered' })
    .getByRole('button', { name: 'First', exact: true })
    .click()
  await expect.element(page.getByRole('heading', { name: 'First' })).toBeVisible()
  await expect.element(line().getByText('“Second” is being answered')).toBeVisible()
})

test('a download is told in words with its share, can be paused, and leads to the downloads', async () => {
  const host = await startHost()
  const tell = tellTransfers(host, [])
  host.answer({ 'download.pause': () => aTransfer({ state: 'paused' }) })
  await openWindow(host)
  await expect.element(composer()).toBeVisible()
  tell({ id: 't1', name: 'fox.gguf', doneBytes: 1e9, totalBytes: 4e9 })
  await expect.element(line().getByText('Downloading fox.gguf: 25%')).toBeVisible()
  await button('Pause: fox.gguf').click()
  await expect.poll(() => host.asked.at(-1)).toEqual({ name: 'download.pause', input: { id: 't1' } })
  tell({ id: 't2', name: 'owl.gguf', doneBytes: 1e9, totalBytes: 1e9 })
  await line().getByRole('button', { name: '2 files are arriving: 40%' }).click()
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toHaveAttribute('aria-selected', 'true')
  tell({ id: 't1', state: 'done' })
  tell({ id: 't2', state: 'checking' })
  await expect.element(line().getByText('Checking owl.gguf')).toBeVisible()
  tell({ id: 't2', state: 'done' })
  await expect.element(line()).not.toBeInTheDocument()
})

test('the line fits a narrow window', async () => {
  await page.viewport(320, 800)
  const host = await startHost()
  const tell = tellTransfers(host, [])
  await openWindow(host)
  await expect.element(composer()).toBeVisible()
  host.publish(engineEvent({ phase: 'loading', modelId: 'builtin', modelName: 'Fox', progress: 0.4 }))
  tell({ id: 't1', name: 'a-model-with-a-very-long-name-that-does-not-fit-Q4_K_M.gguf' })
  await expect.element(line().getByText(/^Downloading a-model/)).toBeVisible()
  await expect.element(line().getByText('Loading Fox: 40%')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await expectAccessible()
})
