import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button, say, showWindow, transcript } from '../../../test/show-window.tsx'

const line = () => button(/^Listed a folder · Read a file/)

test('steps that are over are one line, which names what failed, opens to their rows and remembers it', async () => {
  const host = await showWindow(undefined, { workspaceFiles: { 'notes.md': 'Tea\n' } })
  await say('Look around')
  const asked = await host.nextAsked()
  await asked.call('list_files', {})
  await asked.call('read_file', { path: 'notes.md' })
  await asked.end()
  const next = await host.nextAsked()
  await expect.element(line()).toBeVisible()
  await next.call('read_file', { path: 'gone.md' })
  await next.end()
  const last = await host.nextAsked()
  await expect.element(line()).toMatchTextContent(/^Listed a folder · Read a file · 1 failed · [\d.]+ s$/)
  await last.say('There is one note.')
  await expect.element(transcript().getByText('There is one note.')).toBeVisible()
  await expect.element(button(/^Read gone\.md/)).not.toBeInTheDocument()
  await expect.element(line()).toHaveAttribute('aria-expanded', 'false')
  await line().click()
  await expect.element(button(/^Read gone\.md Failed/)).toBeVisible()
  await button(/^Read notes\.md/).click()
  await expect.element(transcript().getByText(/Why it ran: reading in its folder/)).toBeVisible()
  await expectAccessibleAt(420, 1_280)

  // Another chat, and back.
  await button('New chat').first().click()
  await expect.element(line()).not.toBeInTheDocument()
  await page
    .getByRole('navigation', { name: 'Chats' })
    .getByRole('button', { name: /^Look around/ })
    .first()
    .click()
  await expect.element(line()).toHaveAttribute('aria-expanded', 'true')
  await expect.element(transcript().getByText(/Why it ran: reading in its folder/)).toBeVisible()
  await line().click()
  await expect.element(button(/^Read gone\.md/)).not.toBeInTheDocument()
})

test('a row that was opened stays open when it is folded with the next one', async () => {
  const host = await showWindow(undefined, { workspaceFiles: { 'notes.md': 'Tea\n' } })
  await say('Look around')
  const asked = await host.nextAsked()
  await asked.call('list_files', {})
  await asked.end()
  const next = await host.nextAsked()
  await button(/^List files/).click()
  await expect.element(transcript().getByText(/Why it ran/)).toBeVisible()
  await next.call('read_file', { path: 'notes.md' })
  await next.end()
  await host.nextAsked()
  await expect.element(line()).toHaveAttribute('aria-expanded', 'true')
  await expect.element(transcript().getByText(/Why it ran/)).toBeVisible()
})
