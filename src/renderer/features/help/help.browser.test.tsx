import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'
import { readRoute } from '../../route.ts'

// The pages that are generated, and so are always there.
const SETTINGS = { id: 'reference/settings', title: 'Settings' }

beforeEach(() => page.viewport(1_280, 800))

const list = () => page.getByRole('navigation', { name: 'Help pages' })
const reference = () => list().getByRole('region', { name: 'Reference' })
const text = (name: string) => page.getByRole('group', { name, exact: true })
const search = () => page.getByRole('searchbox', { name: 'Search Help' })
const route = () => readRoute(location.hash)

const openHelp = async (prepare?: (host: PreparedHost) => void) => {
  const host = await showWindow(prepare)
  await button('Help').click()
  return host
}

test('Help lists its pages and shows one, and nothing of it is read before', async () => {
  const host = await showWindow()
  const asked = () => host.asked.map(({ name }) => name).filter(name => name.startsWith('help.'))
  expect(asked()).toEqual([])
  await button('Help').click()
  await expect.element(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible()
  await reference().getByRole('button', { name: SETTINGS.title, exact: true }).click()
  await expect.element(text('Settings').getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expect
    .element(reference().getByRole('button', { name: SETTINGS.title, exact: true }))
    .toHaveAttribute('aria-current', 'page')
  expect(asked()).toContain('help.page')
  expect(document.title).toBe('Help – Talaria')
})

test('a link within a page leads to its heading, and Back returns', async () => {
  await openHelp()
  await reference().getByRole('button', { name: SETTINGS.title, exact: true }).click()
  await text('Settings').getByRole('link', { name: 'Permissions' }).click()
  expect(route()).toMatchObject({ page: 'help', itemId: SETTINGS.id, tab: 'permissions' })
  await expect
    .element(text('Settings').getByRole('heading', { name: 'Permissions', exact: true }))
    .toHaveFocus()
  await expect
    .element(text('Settings').getByRole('heading', { name: 'Permissions', exact: true }))
    .toBeInViewport()
  history.back()
  await expect.poll(() => route().tab).toBeNull()
})

test('a search finds passages in the texts, and one leads to its heading', async () => {
  await openHelp()
  await search().fill('evaluated prompts restart')
  const found = page.getByRole('region', { name: 'Found in Help' })
  await found
    .getByRole('button', { name: /^engine\.state_cache_gib/ })
    .first()
    .click()
  await expect
    .element(text('Settings').getByRole('heading', { name: 'engine.state_cache_gib' }))
    .toHaveFocus()
  await search().fill('zzyzx')
  await expect.element(page.getByText('Help says nothing about “zzyzx”.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(list()).toBeVisible()
})

test('common words of a search are not marked, and the list has no horizontal scrollbar', async () => {
  await openHelp()
  await expect.element(list()).toBeVisible()
  const pane = list().element().closest('.help-pane')!
  expect(pane.scrollWidth).toBeLessThanOrEqual(pane.clientWidth)
  await search().fill('evaluated a prompts')
  const found = page.getByRole('region', { name: 'Found in Help' })
  await expect.element(found.getByRole('button').first()).toBeVisible()
  const marks = [...found.element().querySelectorAll('mark')].map(each => each.textContent.toLowerCase())
  expect(new Set(marks)).toEqual(new Set(['evaluated', 'prompts']))
})

test('the palette finds a heading, and leads to it', async () => {
  await showWindow()
  await userEvent.keyboard('{Control>}k{/Control}')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('engine.state_cache_gib')
  await palette.getByRole('option', { name: /^engine\.state_cache_gib/ }).click()
  const heading = text('Settings').getByRole('heading', { name: 'engine.state_cache_gib' })
  await expect.element(heading).toHaveFocus()
  expect(route()).toMatchObject({ page: 'help', itemId: SETTINGS.id, tab: 'enginestate_cache_gib' })
})

test('in a narrow window the list and a page take turns', async () => {
  await page.viewport(420, 800)
  await showWindow()
  await userEvent.keyboard('{F1}')
  await expect.element(search()).toBeVisible()
  await reference()
    .getByRole('button', { name: /^Settings/ })
    .click()
  await expect.element(text('Settings')).toBeVisible()
  await expect.element(search()).not.toBeInTheDocument()
  await button('All Help pages').click()
  await expect.element(list()).toBeVisible()
})

test('a page that is not there is said in words', async () => {
  await showWindow(() => history.replaceState(null, '', '#page=help&item=guide/none'))
  await expect.element(page.getByText('Help has no page “guide/none”.')).toBeVisible()
})

test('the keyboard shortcuts are one button away', async () => {
  await openHelp()
  await button('Keyboard shortcuts').click()
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('Help is accessible in wide and narrow windows', async () => {
  await openHelp()
  await reference().getByRole('button', { name: SETTINGS.title, exact: true }).click()
  await expect.element(text('Settings').getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expectAccessibleAt(1_280, 420)
  await button('All Help pages').click()
  await search().fill('prompts')
  await expect.element(page.getByText(/passages found/)).toBeVisible()
  await expectAccessibleAt(420)
})
