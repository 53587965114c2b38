import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Fault } from '../../../shared/rpc.ts'
import { HostProvider } from '../../rpc/host-context.tsx'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { button, startHost } from '../../test/show-window.tsx'
import { QuickWindow } from './QuickWindow.tsx'

async function showQuick() {
  const host = await startHost(each => each.answer({ 'desktop.showChat': () => ({}) }), {
    hello: { hosting: 'desktop' },
  })
  await render(
    <HostProvider link={host.link}>
      <QuickWindow />
    </HostProvider>,
  )
  return host
}
const field = () => page.getByRole('textbox', { name: 'Your question' })

test('a question is sent in a new chat, which the main window shows', async () => {
  const { asked, elsewhere } = await showQuick()
  await expect.element(page.getByText(/^Served model answers in the main window/)).toBeVisible()
  await field().fill('How are you?')
  await userEvent.keyboard('{Enter}')
  await expect.element(field()).toHaveValue('')
  const { sessions } = await elsewhere['session.list']({})
  const shown = asked.find(({ name }) => name === 'desktop.showChat')?.input
  expect([sessions.length, shown]).toEqual([1, { id: sessions[0]?.id }])
})

test('a question that could not be sent stays, with the reason', async () => {
  const { failNext } = await showQuick()
  failNext('session.create', new Fault('not_ready', 'The disk is full.'))
  await field().fill('How are you?')
  await button('Send').click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('The disk is full.')
  await expect.element(field()).toHaveValue('How are you?')
})

test('an empty question cannot be sent', async () => {
  await showQuick()
  await field().fill('   ')
  await expect.element(button('Send')).toBeDisabled()
})

test('it has no obstacles', async () => {
  await page.viewport(600, 200)
  await showQuick()
  await expectAccessibleAt(600)
})

test('a question that is too long stays whole, with its length and the limit', async () => {
  const { asked } = await showQuick()
  const long = 'word '.repeat(40_001).trim()
  await field().fill(long)
  // Locators print the page when they wait, which takes minutes with such a text.
  await expect
    .poll(() => document.querySelector('[role="alert"]')?.textContent)
    .toContain('it has 200,004 characters, and a message has at most 200,000. Shorten it by 4')
  await userEvent.keyboard('{Enter}')
  expect(document.querySelector('textarea')!.value === long).toBe(true)
  expect(asked.some(({ name }) => name === 'chat.send')).toBe(false)
})
