import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { button, composer, showWindow } from '../../test/show-window.tsx'

const keyOf = (label: string) => button(new RegExp(`^Change the key of “${label}”`))

/** Open the list of shortcuts in the settings. */
async function showKeys() {
  const host = await showWindow()
  await button('Settings').click()
  await button('Shortcuts').click()
  return host
}

test('a key is bound anew, works at once and is kept; Reset brings the old one back', async () => {
  const host = await showKeys()
  await keyOf('Settings').click()
  await userEvent.keyboard('{Alt>}g{/Alt}')
  await expect.element(keyOf('Settings')).toMatchTextContent('Alt+G')
  const { settings } = await host.elsewhere['settings.list']({})
  expect(settings.find(({ path }) => path === 'ui.keys')?.value).toEqual({ 'settings.open': 'alt+g' })
  await button('Chat').first().click()
  await composer().click()
  await userEvent.keyboard('{Control>},{/Control}')
  await expect.element(composer()).toBeVisible()
  await userEvent.keyboard('{Alt>}g{/Alt}')
  await button('Shortcuts').click()
  await button('Reset the key of “Settings”').click()
  await expect.element(keyOf('Settings')).toMatchTextContent('Ctrl+,')
})

test('a key that does something else is named, and is taken only on request', async () => {
  await showKeys()
  await keyOf('Settings').click()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByText('Ctrl+K already does “Command palette”.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await button('Cancel').click()
  await expect.element(keyOf('Settings')).toMatchTextContent('Ctrl+,')
  await keyOf('Settings').click()
  await userEvent.keyboard('{Control>}k{/Control}')
  await button('Use it here').click()
  await expect.element(keyOf('Settings')).toMatchTextContent('Ctrl+K')
  await expect.element(keyOf('Command palette')).toMatchTextContent('None')
  await button('Reset all keys').click()
  await expect.element(keyOf('Command palette')).toMatchTextContent('Ctrl+K')
})

test('keys that write, edit or belong to the browser are refused with the reason, and Esc keeps the old one', async () => {
  await showKeys()
  await keyOf('Settings').click()
  await userEvent.keyboard('x')
  await expect.element(page.getByText(/the shortcut would block typing/)).toBeVisible()
  await userEvent.keyboard('{Control>}c{/Control}')
  await expect.element(page.getByText('This key edits text in every field.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(keyOf('Settings')).toMatchTextContent('Ctrl+,')
})
