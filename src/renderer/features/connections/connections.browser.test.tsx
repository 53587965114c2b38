import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'

const dialog = () => page.getByRole('dialog')
const card = (name: string) => page.getByRole('listitem', { name, exact: true })
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })

/** Opens the page of a window over a real host. */
async function showConnections() {
  const host = await showWindow()
  await button('Connections').click()
  await expect.element(page.getByRole('heading', { name: 'Connections' })).toBeVisible()
  return host
}

/** Pastes a JSON text and shows what is in it. */
async function paste(text: string) {
  await button('Add a server').click()
  await dialog().getByLabelText('Server JSON').fill(text)
  await inDialog('Show what it runs').click()
}

test('a pasted server is shown whole before it is added, and can be switched off and removed', async () => {
  const host = await showConnections()
  await expect.element(page.getByText('No servers yet')).toBeVisible()
  await expectAccessible()
  await paste(
    '{"mcpServers": {"docs": {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer x"}}}}',
  )
  const shown = dialog().getByRole('list', { name: 'Servers to review' })
  await expect.element(shown).toMatchTextContent('http://127.0.0.1:9/mcp Authorization: …')
  expect(document.body.textContent).not.toContain('Bearer x')
  expect((await host.elsewhere['mcp.list']({})).servers).toEqual([])
  await expectAccessible()
  await inDialog('Add docs').click()
  // Nobody answers at that address.
  await expect.element(card('docs')).toMatchTextContent('Failed')
  await expect.element(card('docs')).toMatchTextContent('http://127.0.0.1:9/mcp')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await card('docs').getByRole('switch', { name: 'Use docs' }).click()
  await expect.element(card('docs').getByText('Off', { exact: true })).toBeVisible()
  await button('More for docs').click()
  await page.getByRole('menuitem', { name: /^Remove/ }).click()
  await expect.element(page.getByText('No servers yet')).toBeVisible()
  await button('Undo').click()
  await expect.element(card('docs')).toMatchTextContent('http://127.0.0.1:9/mcp')
})

test('two servers of one text are added with two quick clicks, and the dialog closes after the last', async () => {
  await showConnections()
  const entry = { url: 'http://127.0.0.1:9/mcp' }
  await paste(JSON.stringify({ mcpServers: { docs: entry, mails: entry, broken: {} } }))
  await expect.element(inDialog('Add mails')).toBeVisible()
  for (const name of ['docs', 'mails'])
    inDialog(`Add ${name}`)
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(card('docs')).toBeVisible()
  await expect.element(card('mails')).toBeVisible()
})

test('what is no server is said, and the text stays', async () => {
  await showConnections()
  await paste('node server.js')
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('This is not a JSON object.')
  await expect.element(dialog().getByLabelText('Server JSON')).toHaveValue('node server.js')
})

test('a program is added by a form, then edited and renamed', async () => {
  const host = await showConnections()
  await button('Add a server').click()
  await dialog().getByText('A program').click()
  await dialog().getByLabelText('Name', { exact: true }).fill('My notes')
  await dialog().getByLabelText('Command').fill("/nowhere/notes 'my notes'")
  await dialog().getByLabelText('Variables').fill('API_KEY=sk-very-secret')
  await inDialog('Show what it runs').click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('up to 32 lowercase letters')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await dialog().getByLabelText('Name', { exact: true }).fill('notes')
  await inDialog('Show what it runs').click()
  await expect.element(dialog()).toMatchTextContent('API_KEY=… /nowhere/notes "my notes"')
  await expect
    .element(dialog())
    .toMatchTextContent('It may write to: a folder of its own, the folder of the chat')
  await inDialog('Add notes').click()
  await expect.element(card('notes')).toMatchTextContent('Failed')

  await card('notes').getByRole('button', { name: 'Edit…' }).click()
  await expect.element(dialog().getByLabelText('Variables')).toHaveValue('API_KEY=${NOTES_API_KEY}')
  await dialog().getByLabelText('Name', { exact: true }).fill('papers')
  await inDialog('Show what it runs').click()
  await inDialog('Save papers').click()
  await expect.element(card('papers')).toBeVisible()
  expect((await host.elsewhere['mcp.list']({})).servers.map(({ name }) => name)).toEqual(['papers'])
})

test('the page says that the built-in model is offered none of it', async () => {
  await showWindow(undefined, { config: { models: { default: 'builtin' } } })
  await button('Connections').click()
  await expect.element(page.getByText(/New chats use the built-in model/)).toBeVisible()
  await expectAccessible()
  await button('Choose a model').click()
  await expect.element(page.getByRole('heading', { name: 'Models' })).toBeVisible()
})
