import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PromptSection } from '../../../../shared/contract/session.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { FakeHost } from '../../../test/fake-host.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, composer, openWindow, say, showApp } from '../../../test/show-app.tsx'

const panel = () => page.getByRole('complementary', { name: 'Context' })
const part = (given: Partial<PromptSection> & Pick<PromptSection, 'name' | 'title'>): PromptSection => ({
  tokens: 100,
  text: `The text of ${given.title}.`,
  stale: false,
  ...given,
})
const parts = [
  part({ name: 'identity', title: 'Who it is', tokens: 50 }),
  part({ name: 'tools', title: 'Tools', tokens: 300 }),
  part({ name: 'user', title: 'About you', tokens: 40, stale: true }),
  part({ name: 'memory', title: 'Its notes', tokens: 0, text: '', stale: true }),
  part({ name: 'history', title: 'This chat', tokens: 122 }),
]

function aChat(host: FakeHost) {
  host.contexts.set('c1', parts)
  return host.addSession({ id: 'c1', title: 'Garden' }, aHistory(2)).id
}
const reads = (host: FakeHost) => host.asked.filter(each => each.name === 'session.context').length

test('the panel is closed at first, and open again after a reload once it was opened', async () => {
  const host = await showApp(aChat)
  await expect.element(composer()).toBeVisible()
  await expect.element(panel()).not.toBeInTheDocument()
  expect(reads(host)).toBe(0)
  await button('Show what the model sees').click()
  await expect.element(panel().getByText('512 of 1,024 tokens')).toBeVisible()
  await openWindow(host)
  await expect.element(panel().getByText('512 of 1,024 tokens')).toBeVisible()
})

test('every part is there with its tokens and its share, and opens to its very text', async () => {
  await showApp(aChat)
  await button('Show what the model sees').click()
  await expect.element(panel().getByText(/50% of what the model can see at once/)).toBeVisible()
  await expect.element(panel().getByText(/Counted exactly/)).toBeVisible()
  await panel()
    .getByRole('button', { name: /^Tools 300 tokens 59%/ })
    .click()
  await expect.element(panel().getByText('The text of Tools.')).toBeVisible()
  await expect.element(panel().getByRole('button', { name: 'Copy: Tools' })).toBeVisible()
  const bar = [...panel().element().querySelectorAll<HTMLElement>('[data-part][style]')]
  expect(bar.map(each => [each.dataset['part'], each.style.flexGrow])).toEqual([
    ['identity', '50'],
    ['tools', '300'],
    ['user', '40'],
    ['history', '122'],
  ])
})

test('memory that has changed since is named, and is taken over when the person says so', async () => {
  const host = await showApp(aChat)
  await button('Show what the model sees').click()
  await expect.element(panel().getByText('2 changes apply to new chats: About you, Its notes.')).toBeVisible()
  host.failNext('session.refreshPrompt', new Fault('busy', 'An answer is under way in this chat.'))
  await button('Apply here now').click()
  await expect.element(panel().getByRole('alert')).toMatchTextContent('An answer is under way')
  await button('Apply here now').click()
  await expect.element(button('Apply here now')).not.toBeInTheDocument()
  expect(host.asked.some(each => each.name === 'session.refreshPrompt')).toBe(true)
})

test('it is read again when a turn has ended and when memory has changed, and not in between', async () => {
  const host = await showApp(aChat)
  await button('Show what the model sees').click()
  await expect.poll(() => reads(host)).toBe(1)
  host.publish({ type: 'memory' })
  await expect.poll(() => reads(host)).toBe(2)
  await say('Go on')
  const run = await host.nextRun()
  await expect.poll(() => reads(host)).toBe(3)
  run.reply({ text: 'Yes.' })
  run.end()
  await expect.poll(() => reads(host)).toBe(4)
})

test('what cannot be read says why and is tried again', async () => {
  const host = await showApp(aChat)
  host.failNext('session.context', new Fault('not_ready', 'The model is not there.'))
  await button('Show what the model sees').click()
  await expect
    .element(panel().getByText('What the model sees could not be read: The model is not there.'))
    .toBeVisible()
  await panel().getByRole('button', { name: 'Try again' }).click()
  await expect.element(panel().getByText('512 of 1,024 tokens')).toBeVisible()
})

test('a message that is only “/context” opens the panel and sends nothing', async () => {
  const host = await showApp(aChat)
  await composer().fill('/context')
  await expect.element(page.getByText(/Enter shows what the model sees/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(panel()).toBeVisible()
  await expect.element(composer()).toHaveValue('')
  await say('/context of this?')
  expect((await host.nextRun()).text).toBe('/context of this?')
})

test('a new chat has nothing to show yet', async () => {
  const host = await showApp()
  await button('Show what the model sees').click()
  await expect.element(panel().getByText(/put together with your first message/)).toBeVisible()
  expect(reads(host)).toBe(0)
})

test('in a narrow window it lies over the chat, Esc closes it, and it does not come by itself', async () => {
  await page.viewport(800, 700)
  await showApp(aChat)
  await button('Show what the model sees').click()
  const sheet = page.getByRole('dialog', { name: 'Context' })
  await expect.element(sheet.getByText('512 of 1,024 tokens')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await page.viewport(1280, 800)
  await expect.element(panel()).not.toBeInTheDocument()
  await button('Show what the model sees').click()
  await expect.element(panel()).toBeVisible()
  await page.viewport(480, 800)
  await expect.element(panel()).not.toBeInTheDocument()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(480)
})
