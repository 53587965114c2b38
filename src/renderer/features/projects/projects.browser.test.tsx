import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessible.ts'
import { aHistory, aUserMessage } from '../../test/messages.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'

const chats = () => page.getByRole('navigation', { name: 'Chats' })
const group = (name: string) => chats().getByRole('region', { name: `Project ${name}` })
const row = (title: string) => chats().getByRole('button', { name: title, exact: true })
const cards = () => page.getByRole('list', { name: 'Your projects' })

function twoChats({ seed }: PreparedHost) {
  void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(2) })
  void seed.chat({ id: 'c2', title: 'Kitchen', messages: [aUserMessage({ id: 99 })] })
  return 'c1'
}

test('a project is made and filled in on its page, and what is wrong is said at its field', async () => {
  const host = await showWindow(twoChats)
  await button('Projects').click()
  await expect.element(page.getByText('No projects yet')).toBeVisible()
  await expectAccessible()
  await button('New project').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Thesis')
  await page.getByRole('textbox', { name: 'Folder (optional)' }).fill('notes')
  await button('Create project').click()
  await expect.element(page.getByText(/Write the whole path of the folder/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Folder (optional)' }).fill('')
  await button('Create project').click()
  await expect.element(cards().getByRole('textbox', { name: 'Instructions' })).toBeVisible()
  await cards().getByRole('textbox', { name: 'Instructions' }).fill('Cite sources.')
  await button('Save the instructions').click()
  await cards().getByRole('combobox', { name: 'New chats may' }).selectOptions('Chat only')
  await cards().getByText('Sampling').first().click()
  await cards().getByRole('textbox', { name: 'Temperature' }).fill('9')
  await expect.element(cards().getByText('A number from 0 to 5.')).toBeVisible()
  await cards().getByRole('textbox', { name: 'Temperature' }).fill('0,2')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(async () => (await host.elsewhere['project.list']({})).projects)
    .toMatchObject([
      {
        name: 'Thesis',
        instructions: 'Cite sources.',
        approval: 'chat_only',
        sampling: { temperature: 0.2 },
      },
    ])
  await cards().getByText('Toolsets').click()
  await expect.element(cards().getByRole('list', { name: 'Toolsets' })).toBeVisible()
  await cards().getByText('Skills: all').click()
  await cards().getByText('Only these').click()
  await expect.element(cards().getByText('Skills: 0 chosen')).toBeVisible()
  await expectAccessible()
})

test('an open project begins chats in it and lists its newest ones, and the others once they are asked for', async () => {
  const host = await showWindow(({ seed }) => {
    for (let n = 1; n <= 7; n++)
      void seed.chat({ id: `c${n}`, title: `Chapter ${n}`, messages: aHistory(1, n * 10) })
  })
  const { id: projectId } = await host.elsewhere['project.create']({ name: 'Thesis' })
  for (let n = 1; n <= 7; n++) await host.elsewhere['session.update']({ id: `c${n}`, projectId })
  await button('Projects').click()
  await cards()
    .getByRole('button', { name: /^Thesis/ })
    .click()
  const listed = cards().getByRole('list', { name: 'Its chats' }).getByRole('button')
  await expect.poll(() => listed.elements().length).toBe(5)
  await cards().getByRole('button', { name: 'All 7 chats' }).click()
  await expect.poll(() => listed.elements().length).toBe(7)
  await listed.filter({ hasText: 'Chapter 2' }).click()
  await expect.element(page.getByRole('heading', { name: 'Chapter 2', level: 1 })).toBeVisible()
  await button('Projects').click()
  await cards()
    .getByRole('button', { name: /^Thesis/ })
    .click()
  await cards().getByRole('button', { name: 'New chat in this project' }).click()
  await expect
    .poll(() => host.asked.filter(({ name }) => name === 'session.create').map(({ input }) => input))
    .toEqual([{ projectId }])
})

test('a chat moves to a project by its menu or by dragging, and out of it; the other window follows', async () => {
  const host = await showWindow(twoChats)
  const project = await host.elsewhere['project.create']({ name: 'Thesis' })
  await expect.element(group('Thesis')).toBeVisible()
  await row('Garden').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to a project…' }).click()
  await page.getByRole('radio', { name: /Thesis/ }).click()
  await button('Move').click()
  await expect.element(group('Thesis').getByRole('button', { name: 'Garden', exact: true })).toBeVisible()
  await expect.element(page.getByText('Moved to “Thesis”. Its model, mode and folder stay.')).toBeVisible()
  await expect.element(group('Thesis').getByRole('button', { name: 'Thesis 1 chat' })).toBeVisible()
  await expectAccessible()
  await row('Kitchen').dropTo(
    group('Thesis')
      .getByRole('button', { name: /Thesis/ })
      .first(),
  )
  await expect
    .poll(async () => (await host.elsewhere['session.get']({ id: 'c2' })).projectId)
    .toBe(project.id)
  // What another window does shows here.
  await host.elsewhere['session.update']({ id: 'c1', projectId: null })
  await expect
    .element(group('Thesis').getByRole('button', { name: 'Garden', exact: true }))
    .not.toBeInTheDocument()
  await host.elsewhere['project.remove']({ id: project.id })
  await expect.element(group('Thesis')).not.toBeInTheDocument()
  await expect.element(row('Kitchen')).toBeVisible()
})

test('the names of projects are reached with the arrow keys, and Enter closes and opens them', async () => {
  const host = await showWindow(twoChats)
  const { id: projectId } = await host.elsewhere['project.create']({ name: 'Thesis' })
  await host.elsewhere['session.update']({ id: 'c2', projectId })
  const kitchen = group('Thesis').getByRole('button', { name: 'Kitchen', exact: true })
  await expect.element(kitchen).toBeVisible()
  ;(kitchen.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowUp}')
  const heading = group('Thesis').getByRole('button', { name: /^Thesis/ })
  await expect.element(heading).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(kitchen).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(kitchen).toBeVisible()
})

test('a chat has instructions and sampling of its own, beside what the model sees', async () => {
  const host = await showWindow(twoChats)
  await host.elsewhere['project.create']({ name: 'Thesis', instructions: 'Cite sources.' })
  await button('Show what the model sees').click()
  const panel = page.getByRole('complementary', { name: 'Context' })
  await panel.getByText('Settings for this chat').click()
  await panel.getByRole('textbox', { name: 'Instructions for this chat' }).fill('Be brief.')
  await button('Save the instructions').click()
  await expect.element(panel.getByRole('button', { name: /^Instructions of this chat/ })).toBeVisible()
  await panel.getByRole('combobox', { name: 'Project' }).selectOptions('Thesis')
  await expect
    .element(panel.getByRole('button', { name: /^Instructions of the project “Thesis”/ }))
    .toBeVisible()
  await panel.getByRole('combobox', { name: 'Decider' }).selectOptions('On')
  await panel.getByRole('textbox', { name: 'Seed' }).fill('7')
  await userEvent.keyboard('{Tab}')
  await expect
    .poll(() => host.elsewhere['session.get']({ id: 'c1' }))
    .toMatchObject({ instructions: 'Be brief.', sampling: { seed: 7 }, decider: 'on' })
  await expectAccessible()
})

test('the menus of a chat lead to its settings, on its page and in the list', async () => {
  await showWindow(twoChats)
  const panel = page.getByRole('complementary', { name: 'Context' })
  const project = panel.getByRole('combobox', { name: 'Project' })
  const settings = page.getByRole('menuitem', { name: 'Settings for this chat' })
  await button('More for this chat').click()
  await settings.click()
  await expect.element(project).toBeVisible()
  await expect.element(panel.getByText('Settings for this chat')).toHaveFocus()
  await panel.getByRole('button', { name: 'Close the panel' }).click()
  await expect.element(panel).not.toBeInTheDocument()
  await button('More for “Kitchen”').click()
  await settings.click()
  await expect.element(page.getByRole('heading', { name: 'Kitchen', level: 1 })).toBeVisible()
  await expect.element(project).toBeVisible()
  expect(location.hash).not.toContain('settings')
})
