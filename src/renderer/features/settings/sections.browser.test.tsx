import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { optionWords } from './setting-texts.ts'
import { heading, press, search, showSettings } from '../../test/settings.tsx'

test('the section “Models and engine” links to the Models page', async () => {
  const host = await showSettings(undefined, { section: 'models' })
  await expect.element(page.getByText('The list of models')).toBeVisible()
  await press('Open the Models page').click()
  await press('Set on the Models page').first().click()
  expect(host.onModels).toHaveBeenCalledTimes(2)
})

test('Data shows where files are stored, and offers the import', async () => {
  const host = await showSettings(undefined, { section: 'data' })
  await expect.element(page.getByText(host.home, { exact: true })).toBeVisible()
  await expect.element(page.getByText(`${host.home}/config.yaml`)).toBeVisible()
  await expect.element(page.getByText(host.workspace)).toBeVisible()
  await press('Import chats and memories…').click()
  expect(host.onImport).toHaveBeenCalledOnce()
})

test('the setup can be shown again', async () => {
  const host = await showSettings()
  await press('Show them again').click()
  await expect.poll(() => host.value('ui.setup_done')).toBe(false)
})

test('Learning links to the Activity page', async () => {
  await showSettings(undefined, { section: 'learning' })
  await press('What was learned').click()
  expect(location.hash).toContain('page=activity')
})

test('Shortcuts is a section, and a shortcut can be searched by what it does', async () => {
  await showSettings()
  await search().fill('new line')
  await press('Keyboard shortcuts: open Shortcuts').click()
  await expect.element(heading('Shortcuts')).toBeVisible()
  await expect.element(page.getByText('Alt+N')).toBeVisible()
})

test('every option of a choice is shown in words', async () => {
  const host = await showSettings()
  const { settings } = await host.elsewhere['settings.list']({})
  const options = settings.flatMap(({ path, kind }) =>
    kind.type === 'choice' ? kind.options.map(option => ({ path, option })) : [],
  )
  expect(options).toContainEqual({ path: 'terminal.sandbox', option: 'auto' })
  expect(options.filter(({ path, option }) => optionWords(path, option) === option)).toEqual([])
})

test('About shows the version and copies the diagnostics', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await showSettings(undefined, { section: 'about', config: { engine: { gpu: 'off' } } })
  await expect.element(page.getByText('0.1.0')).toBeVisible()
  await expect.element(page.getByText('Host for browsers')).toBeVisible()
  await press('Copy diagnostics').click()
  await expect.element(page.getByText('Copied.')).toBeVisible()
  expect(copied.mock.calls[0]?.[0]).toMatch(/^Talaria 0\.1\.0, headless, \w+\n[^]*engine\.gpu: off\n/)
  copied.mockRestore()
})

test('nothing of a section is drawn before its settings, which would push it down', async () => {
  const answer = Promise.withResolvers<void>()
  const host = await showSettings(each =>
    each.answer({
      async 'settings.list'(input) {
        await answer.promise
        return host.elsewhere['settings.list'](input)
      },
    }),
  )
  await expect.element(heading('General')).toBeVisible()
  await expect.element(heading('First steps')).not.toBeInTheDocument()
  answer.resolve()
  await expect.element(heading('First steps')).toBeVisible()
})

test('in Data what takes long to read stands last', async () => {
  await showSettings(undefined, { section: 'data' })
  await expect.element(heading('What takes space')).toBeVisible()
  const titles = [...document.querySelectorAll('[data-thing]')].map(each => each.textContent)
  expect(titles.slice(-2)).toEqual(['Backups that Talaria keeps', 'What takes space'])
})
