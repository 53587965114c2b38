import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Fault } from '../../../shared/rpc.ts'
import { HostProvider } from '../../rpc/host-context.tsx'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { drop } from '../../test/models.tsx'
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

test('dropped files and pasted pictures go with the question; what is refused stays here', async () => {
  const { asked, elsewhere, nextAsked } = await showQuick()
  drop(document.querySelector('main')!, new File(['The kiln is hot.'], 'notes.txt'))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([new Uint8Array([127, 69, 76, 70, 0, 1])], 'program.bin'))
  field()
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
  const files = page.getByRole('list', { name: 'Files sent with the question' })
  await expect.element(files.getByRole('listitem').nth(1)).toMatchTextContent('program.bin')
  await expectAccessibleAt(600)
  await field().fill('How hot is it?')
  await expect.element(button('Send')).toBeEnabled()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('program.bin')
  expect((await elsewhere['session.list']({})).sessions).toEqual([])
  await button('Remove program.bin').click()
  await button('Send').click()
  await expect.element(field()).toHaveValue('')
  expect(JSON.stringify((await nextAsked()).body.messages)).toContain('The kiln is hot.')
  expect(asked.some(({ name }) => name === 'desktop.showChat')).toBe(true)
  await expect.element(files).not.toBeInTheDocument()
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
  // Not a locator: a waiting locator prints the page, which takes minutes with such a text.
  await expect
    .poll(() => document.querySelector('[role="alert"]')?.textContent)
    .toContain('it has 200,004 characters, and a message has at most 200,000. Shorten it by 4')
  await userEvent.keyboard('{Enter}')
  expect(document.querySelector('textarea')!.value === long).toBe(true)
  expect(asked.some(({ name }) => name === 'chat.send')).toBe(false)
})
