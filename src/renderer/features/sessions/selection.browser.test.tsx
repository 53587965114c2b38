import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { aHistory } from '../../test/messages.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'

const chats = () => page.getByRole('navigation', { name: 'Chats' })
const row = (title: string) => chats().getByRole('button', { name: title, exact: true })
const bar = () => page.getByRole('region', { name: 'Selected chats' })
const toast = (text: RegExp) => page.getByRole('status', { name: 'What just happened' }).getByText(text)

/** Four chats, the newest first: one to four. */
function prepare({ seed }: PreparedHost) {
  for (const [index, title] of ['One', 'Two', 'Three', 'Four'].entries())
    void seed.chat({
      id: `c${index + 1}`,
      title,
      messages: aHistory(1, index * 10 + 1),
      updatedAt: Date.now() - index * 1_000,
    })
  return 'c1'
}

test('chats are chosen with Ctrl and Shift, archived in one go, and the toast undoes it', async () => {
  const host = await showWindow(prepare)
  await row('Two').click({ modifiers: ['ControlOrMeta'] })
  await row('Four').click({ modifiers: ['Shift'] })
  await expect.element(bar().getByText('3 selected')).toBeVisible()
  await row('Three').click({ modifiers: ['ControlOrMeta'] })
  await expect.element(bar().getByText('2 selected')).toBeVisible()
  await bar().getByRole('button', { name: 'Archive' }).click()
  await expect.element(toast(/^2 chats are in the archive/)).toBeVisible()
  await expect.element(row('Four')).not.toBeInTheDocument()
  await expect.element(bar()).not.toBeInTheDocument()
  const archived = async () =>
    (await host.elsewhere['session.list']({ archived: 'only' })).sessions.map(({ title }) => title)
  expect(await archived()).toEqual(['Two', 'Four'])
  await button('Undo').click()
  await expect.element(row('Four')).toBeVisible()
  expect(await archived()).toEqual([])
})

test('by keyboard: Shift and the arrows extend, Space takes one off, Ctrl+A takes all, Delete removes, Esc chooses none', async () => {
  const host = await showWindow(prepare)
  await expect.element(row('One')).toBeVisible()
  ;(row('One').element() as HTMLElement).focus()
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await expect.element(bar().getByText('3 selected')).toBeVisible()
  await userEvent.keyboard(' ')
  await expect.element(bar().getByText('2 selected')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(bar()).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}a{/Control}')
  await expect.element(bar().getByText('4 selected')).toBeVisible()
  await userEvent.keyboard('{Delete}')
  await expect.element(toast(/^4 chats were deleted/)).toBeVisible()
  await expect.poll(async () => (await host.elsewhere['session.deleted']({})).chats.length).toBe(4)
  await button('Undo').click()
  await expect.poll(async () => (await host.elsewhere['session.deleted']({})).chats.length).toBe(0)
})

test('chosen chats are pinned, moved to a project and exported into one file', async () => {
  const host = await showWindow(prepare)
  await host.elsewhere['project.create']({ name: 'House' })
  await row('Two').click({ modifiers: ['ControlOrMeta'] })
  await row('Three').click({ modifiers: ['ControlOrMeta'] })
  await bar().getByRole('button', { name: 'Move to a project' }).click()
  await page.getByRole('menuitem', { name: 'House' }).click()
  await expect.element(toast(/^2 chats were moved to “House”/)).toBeVisible()
  const { projects } = await host.elsewhere['project.list']({})
  expect(projects[0]?.chats).toBe(2)
  await row('Two').click({ modifiers: ['ControlOrMeta'] })
  await row('Four').click({ modifiers: ['ControlOrMeta'] })
  await bar().getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export 2 chats' })
  await dialog.getByRole('textbox', { name: 'File' }).fill(`${host.workspace}/two.html`)
  await dialog.getByRole('button', { name: 'Export 2 chats' }).click()
  await expect.element(dialog.getByText(/^2 chats with 4 messages/)).toBeVisible()
  const written = await host.readFile('workspace', 'two.html')
  expect([written?.includes('Four'), written?.includes('Three')]).toEqual([true, false])
})

test('archived chats have a list of their own, and come back from it', async () => {
  await showWindow(prepare)
  await button('More for “Two”').click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect.element(row('Two')).not.toBeInTheDocument()
  await button('Archived').click()
  const archive = page.getByRole('region', { name: 'Archived chats' })
  await expect.element(archive.getByRole('button', { name: 'Two', exact: true })).toBeVisible()
  await expect.element(archive.getByRole('button', { name: 'One', exact: true })).not.toBeInTheDocument()
  await button('More for “Two”').click()
  await page.getByRole('menuitem', { name: 'Unarchive' }).click()
  await expect.element(archive.getByText(/^No chat is archived/)).toBeVisible()
  await button('All chats').click()
  await expect.element(row('Two')).toBeVisible()
})

test('the list with a selection is accessible', async () => {
  await showWindow(prepare)
  await row('Two').click({ modifiers: ['ControlOrMeta'] })
  await expect.element(bar()).toBeVisible()
  await expectAccessibleAt(1_280)
})
