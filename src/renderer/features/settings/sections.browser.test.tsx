import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { heading, press, search, showSettings } from '../../test/settings.tsx'

test('the list of models and the way to their page stand with the engine', async () => {
  const host = await showSettings(undefined, { section: 'models' })
  await expect.element(page.getByText('The list of models')).toBeVisible()
  await press('Open the Models page').click()
  await press('Set on the Models page').first().click()
  expect(host.onModels).toHaveBeenCalledTimes(2)
})

test('data says where everything is, and offers the import', async () => {
  const host = await showSettings(undefined, { section: 'data' })
  await expect.element(page.getByText(host.home, { exact: true })).toBeVisible()
  await expect.element(page.getByText(`${host.home}/config.yaml`)).toBeVisible()
  await expect.element(page.getByText(host.workspace)).toBeVisible()
  await press('Import chats and memories…').click()
  expect(host.onImport).toHaveBeenCalledOnce()
})

test('the first steps can be seen again', async () => {
  const host = await showSettings()
  await press('Show them again').click()
  await expect.poll(() => host.value('ui.setup_done')).toBe(false)
})

test('learning leads to what was learned', async () => {
  await showSettings(undefined, { section: 'learning' })
  await press('What was learned').click()
  expect(location.hash).toContain('page=activity')
})

test('shortcuts are a section, and found by what they do', async () => {
  await showSettings()
  await search().fill('new line')
  await press('Keyboard shortcuts: open Shortcuts').click()
  await expect.element(heading('Shortcuts')).toBeVisible()
  await expect.element(page.getByText('Alt+N')).toBeVisible()
})

test('about says what this is, and copies what a report needs', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await showSettings(undefined, { section: 'about', config: { engine: { gpu: 'off' } } })
  await expect.element(page.getByText('0.1.0')).toBeVisible()
  await expect.element(page.getByText('Host for browsers')).toBeVisible()
  await press('Copy diagnostics').click()
  await expect.element(page.getByText('Copied.')).toBeVisible()
  expect(copied.mock.calls[0]?.[0]).toMatch(/^Talaria 0\.1\.0, headless, \w+\n[^]*engine\.gpu: off\n/)
  copied.mockRestore()
})
