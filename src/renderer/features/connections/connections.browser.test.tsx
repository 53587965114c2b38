import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'

const dialog = () => page.getByRole('dialog')
const card = (name: string) => page.getByRole('listitem', { name, exact: true })

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
  await dialog().getByLabelText('JSON of the server').fill(text)
  await dialog().getByRole('button', { name: 'Show what it runs' }).click()
}

test('a pasted server is shown whole before it is added, and can be switched off and removed', async () => {
  const host = await showConnections()
  await expect.element(page.getByText('No servers yet.')).toBeVisible()
  await paste(
    '{"mcpServers": {"docs": {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer x"}}}}',
  )
  await expect.element(dialog()).toMatchTextContent('http://127.0.0.1:9/mcp')
  expect(document.body.textContent).not.toContain('Bearer x\n')
  expect((await host.elsewhere['mcp.list']({})).servers).toEqual([])
  await expectAccessible()
  await dialog().getByRole('button', { name: 'Add docs' }).click()
  await expect.element(card('docs')).toMatchTextContent('http://127.0.0.1:9/mcp')
  // Nobody answers at that address.
  await expect.element(card('docs')).toMatchTextContent('Failed')
  await expectAccessible()
  await card('docs').getByRole('switch', { name: 'docs' }).click()
  await expect.element(card('docs')).toMatchTextContent('Switched off')
  await card('docs').getByRole('button', { name: 'Remove docs' }).click()
  await expect.element(page.getByText('No servers yet.')).toBeVisible()
})

test('what is no server is said, and the text stays', async () => {
  await showConnections()
  await paste('node server.js')
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('This is no JSON object.')
  await expect.element(dialog().getByLabelText('JSON of the server')).toHaveValue('node server.js')
})
