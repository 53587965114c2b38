import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'

const card = (name: string) => page.getByRole('listitem', { name, exact: true })
const right = (name: string) => card('Zed').getByRole('switch', { name, exact: true })

test('a program is allowed what is chosen, lists what it read, and loses its key', async () => {
  const host = await showWindow()
  const { key } = await host.elsewhere['agents.add']({ name: 'Zed' })
  await host.elsewhere['memory.add']({ target: 'user', project: null, text: 'The user is called Ada.' })
  const ask = (tool: string, given: Record<string, unknown>) =>
    host.elsewhere['agents.ask']({ key, program: 'zed 2.1', tool, arguments: given })
  await button('Connections').click()
  await expect.element(card('Zed')).toMatchTextContent('Not allowed')
  await card('Zed').getByRole('button', { name: /^Zed/ }).click()
  await expect.element(card('Zed')).toMatchTextContent('goes to that program’s provider')
  await expect.element(right('Chats')).not.toBeChecked()
  await expect.element(right('About you')).toBeChecked()
  await right('Skills').click()
  await expectAccessible()
  expect((await ask('memory_search', {})).ok).toBe(false)
  await card('Zed').getByRole('button', { name: 'Allow this' }).click()
  await expect.element(card('Zed').getByText('Allowed', { exact: true })).toBeVisible()
  expect((await host.elsewhere['agents.list']({})).agents[0]).toMatchObject({
    allowed: true,
    may: { user: true, notes: true, chats: false, skills: false, propose: true },
  })
  expect((await ask('memory_search', { query: 'Ada' })).ok).toBe(true)
  expect((await ask('session_search', { query: 'Ada' })).ok).toBe(false)
  const read = card('Zed').getByRole('region', { name: 'What it read' })
  await expect.element(read).toMatchTextContent('Searched memory · “Ada”About you: The user is called Ada.')
  await expect
    .element(read)
    .toMatchTextContent('Refused: The user has not allowed this program to search chats.')
  await expect.element(card('Zed')).toMatchTextContent('calls itself zed 2.1')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  // Once it is allowed, a switch counts at once.
  await right('Chats').click()
  await expect.element(right('Chats')).toBeChecked()
  await expect.poll(async () => (await ask('session_search', { query: 'Ada' })).ok).toBe(true)
  await card('Zed').getByRole('button', { name: 'Stop allowing it' }).click()
  await expect.element(card('Zed')).toMatchTextContent('Not allowed')
  await button('More for Zed').click()
  await page.getByRole('menuitem', { name: /^Remove/ }).click()
  await expect.element(card('Zed')).not.toBeInTheDocument()
  expect((await ask('memory_search', {})).text).toContain('does not know the key')
})

test('what scripts of a program hand over is learned from only once its switch is on', async () => {
  const host = await showWindow()
  await host.elsewhere['agents.add']({ name: 'My script' })
  await host.elsewhere['agents.add']({ name: 'Сценарий' })
  await button('Connections').click()
  const learn = (name: string) => card(name).getByRole('switch', { name: 'Learn from its sessions' })
  await card('My script')
    .getByRole('button', { name: /^My script/ })
    .click()
  await expect.element(card('My script')).toMatchTextContent('talaria track-tool --agent my-script')
  await expect.element(learn('My script')).not.toBeChecked()
  await learn('My script').click()
  await card('My script').getByRole('button', { name: 'Allow this' }).click()
  await expect
    .poll(async () => (await host.elsewhere['agents.list']({})).agents.map(({ may }) => may.learn))
    .toEqual(expect.arrayContaining([true, false]))
  // Of a name that no command can carry nothing can be handed over.
  await card('Сценарий')
    .getByRole('button', { name: /^Сценарий/ })
    .click()
  await expect.element(card('Сценарий').getByRole('switch', { name: 'Skills' })).toBeVisible()
  await expect.element(learn('Сценарий')).not.toBeInTheDocument()
})
