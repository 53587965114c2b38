import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { choice, field, heading, press, search, showSettings, toggle, way } from '../../test/settings.tsx'

const changes = (host: Awaited<ReturnType<typeof showSettings>>) =>
  host.asked.filter(({ name }) => name.startsWith('settings.') && name !== 'settings.list')

test('the page opens at General, and each section is one click away', async () => {
  const host = await showSettings()
  await expect.element(heading('General')).toBeVisible()
  await expect.element(way('General')).toHaveAttribute('aria-current', 'page')
  await way('Tools').click()
  await expect.element(heading('Tools')).toBeVisible()
  await expect.element(field('Time for a command')).toHaveValue('30')
  expect(host.onSection).toHaveBeenLastCalledWith('tools')
})

test('a section named in the address is opened', async () => {
  await showSettings(undefined, { section: 'learning' })
  await expect.element(heading('Learning and memory')).toBeVisible()
})

test('a change applies at once and is marked; Reset reverts it, and Undo restores it', async () => {
  const host = await showSettings(undefined, { section: 'general' })
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark')
  await expect.element(page.getByText('Changed', { exact: true })).toBeVisible()
  await expect.element(way('General 1 changed')).toBeVisible()
  await press('Reset “Colours” to System').click()
  await expect.poll(() => host.value('ui.theme')).toBe('system')
  await expect.element(page.getByText('Changed', { exact: true })).not.toBeInTheDocument()
  await expect.element(page.getByRole('radio', { name: 'System' })).toHaveFocus()
  await press('Undo').click()
  await expect.poll(() => host.value('ui.theme')).toBe('dark')
  await expect.element(page.getByText('Changed', { exact: true })).toBeVisible()
})

test('“Reset this section” resets only what was changed, and can be undone', async () => {
  const host = await showSettings(undefined, {
    section: 'models',
    config: { engine: { gpu: 'off', context_tokens: 4_096 }, tools: { timeout_s: 60 } },
  })
  await expect.element(way('Models and engine 2 changed')).toBeVisible()
  await press('Reset this section').click()
  await expect.element(way('Models and engine')).toBeVisible()
  expect(changes(host)).toEqual([
    { name: 'settings.reset', input: { path: 'engine.context_tokens' } },
    { name: 'settings.reset', input: { path: 'engine.gpu' } },
  ])
  await press('Undo').click()
  await expect.poll(() => host.value('engine.context_tokens')).toBe(4_096)
  await expect.poll(() => host.value('engine.gpu')).toBe('off')
})

test('a change that the host refuses is reverted, with the reason', async () => {
  const host = await showSettings(undefined, { section: 'learning' })
  const memory = toggle('Use memory in chats')
  await expect.element(memory).toBeChecked()
  host.failNext('settings.set', new Fault('internal', 'The disk is full.'))
  await memory.click()
  await expect.element(page.getByText('The setting was not saved: The disk is full.')).toBeVisible()
  await expect.element(memory).toBeChecked()
})

test('a setting that needs a restart says so until it has its old value again', async () => {
  await showSettings(undefined, { section: 'tools' })
  const waits = page.getByText(/^Restart Talaria to apply: Time for a command\.$/)
  await expect.element(page.getByText('After a restart', { exact: true }).first()).toBeVisible()
  await field('Time for a command').fill('45')
  await userEvent.keyboard('{Enter}')
  await expect.element(waits).toBeVisible()
  await way('Chat').click()
  await expect.element(waits).toBeVisible()
  await way(/^Tools/).click()
  await field('Time for a command').fill('30')
  await userEvent.keyboard('{Enter}')
  await expect.element(waits).not.toBeInTheDocument()
})

test('after the host restarts, no setting waits for a restart', async () => {
  const host = await showSettings(undefined, { section: 'tools' })
  await field('Time for a command').fill('45')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^Restart Talaria/)).toBeVisible()
  await host.answered()
  await host.disconnect()
  host.reconnect()
  await expect.element(page.getByText(/^Restart Talaria/)).not.toBeInTheDocument()
  await expect.element(field('Time for a command')).toHaveValue('45')
})

test('expert settings are collapsed unless changed or in expert mode', async () => {
  const host = await showSettings(undefined, {
    section: 'models',
    config: { engine: { hosting: 'inline' } },
  })
  await expect.element(choice('Where the engine runs')).toBeVisible()
  await expect.element(choice('Threads')).not.toBeInTheDocument()
  const more = press('Show 9 more settings for experts')
  await more.click()
  await expect.element(choice('Threads')).toBeVisible()
  await press('Show fewer settings').click()
  await expect.element(choice('Threads')).not.toBeInTheDocument()
  await way('General').click()
  await page.getByText('Expert', { exact: true }).click()
  await expect.poll(() => host.value('ui.expert')).toBe(true)
  await way(/^Models/).click()
  await expect.element(choice('Threads')).toBeVisible()
  await expect.element(page.getByText('engine.threads')).toBeVisible()
  await expect.element(more).not.toBeInTheDocument()
})

test('mistakes in the file are listed with their lines, and disappear once they are fixed', async () => {
  const host = await showSettings(undefined, {
    homeFiles: { 'config.yaml': 'config_version: 4\nengine:\n  gpu: vulcan\nweather: sunny\n' },
  })
  const list = page.getByRole('list', { name: 'What is wrong' })
  await expect
    .element(list.first())
    .toMatchTextContent('Line 3: engine.gpu is "vulcan", but must be one of “auto”, “off”')
  await expect.element(list.last()).toMatchTextContent('weather')
  await expect.element(page.getByText(`${host.home}/config.yaml`).first()).toBeVisible()
  await host.seed.files({ 'config.yaml': 'config_version: 4\nengine:\n  gpu: vulkan\n' })
  await press('Check again').first().click()
  await expect.element(list).not.toBeInTheDocument()
})

test('a mistake in .env names that file, and not config.yaml', async () => {
  const host = await showSettings(undefined, { homeFiles: { '.env': 'A KEY=1\n' } })
  const list = page.getByRole('list', { name: 'What is wrong' })
  await expect.element(list).toMatchTextContent(/^\.env Line 1: the name before “=” has a space in it/)
  await expect.element(page.getByText(`${host.home}/.env`, { exact: true })).toBeVisible()
  await expect.element(page.getByText(`${host.home}/config.yaml`, { exact: true })).not.toBeInTheDocument()
})

test('the rows of the list of keys have a line between them', async () => {
  await showSettings(undefined, { section: 'privacy' })
  await press(/^Show \d+ more keys$/).click()
  const rows = page.getByRole('list', { name: 'Keys' }).getByRole('listitem')
  await expect.element(rows.nth(0)).toHaveStyle({ borderTopWidth: '0px' })
  await expect.element(rows.nth(1)).toHaveStyle({ borderTopWidth: '1px' })
})

test('if the settings cannot be read, the page says why and can try again', async () => {
  const fails = () => {
    throw new Fault('internal', 'No disk.')
  }
  const host = await showSettings(each => each.answer({ 'settings.list': fails }), { section: 'tools' })
  await expect.element(page.getByText('The settings could not be read: No disk.')).toBeVisible()
  host.answer({ 'settings.list': input => host.elsewhere['settings.list'](input) })
  await press('Try again').click()
  await expect.element(page.getByText(/could not be read/)).not.toBeInTheDocument()
  await expect.element(field('Time for a command')).toBeVisible()
})

test('a change made in another window is shown', async () => {
  const host = await showSettings(undefined, { section: 'chat' })
  await expect.element(page.getByRole('radio', { name: 'Enter', exact: true })).toBeChecked()
  await host.elsewhere['settings.set']({ path: 'ui.send_with', value: 'mod_enter' })
  await expect.element(page.getByRole('radio', { name: 'Ctrl+Enter' })).toBeChecked()
})

test.each([
  ['memory.learn_from_chats', false, 'learning', 'Let the agent save to memory'],
  ['skills.use_in_chats', false, 'learning', 'Use skills in chats'],
  ['learning.only_on_mains', true, 'learning', 'Only on mains power'],
  ['models.routing', 'auto', 'models', 'Quick model for short messages'],
  ['engine.gpu', 'off', 'models', 'Graphics card'],
] as const)(
  'a change of %s in another window is marked in its section',
  async (path, value, section, title) => {
    const host = await showSettings(undefined, { section })
    const changed = press(new RegExp(`^Reset “${title}”`))
    await expect.element(toggle('Use memory in chats').or(choice('Graphics card'))).toBeVisible()
    await expect.element(changed).not.toBeInTheDocument()
    await host.elsewhere['settings.set']({ path, value })
    await expect.element(changed).toBeVisible()
    await host.elsewhere['settings.reset']({ path })
    await expect.element(changed).not.toBeInTheDocument()
  },
)

test('a field keeps typed text while another window changes the setting, and Esc shows the new value', async () => {
  const host = await showSettings(undefined, { section: 'models', config: { engine: { threads: 4 } } })
  const context = field('Context of local models')
  await context.fill('4096')
  await host.elsewhere['settings.set']({ path: 'engine.context_tokens', value: 2_048 })
  await expect.element(press('Reset “Context of local models” to 8,192')).toBeVisible()
  await expect.element(context).toHaveValue('4096')
  await userEvent.keyboard('{Escape}')
  await expect.element(context).toHaveValue('2048')
  // An expert setting at its default is collapsed, but not under the cursor.
  await field('Threads, number').fill('6')
  await host.elsewhere['settings.reset']({ path: 'engine.threads' })
  await expect.element(way('Models and engine 1 changed')).toBeVisible()
  await expect.element(field('Threads, number')).toHaveValue('6')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => host.value('engine.threads')).toBe(6)
  await host.elsewhere['settings.reset']({ path: 'engine.threads' })
  await expect.element(way('Models and engine 1 changed')).toBeVisible()
  await userEvent.tab()
  await expect.element(field('Threads, number')).not.toBeInTheDocument()
})

test('the search covers all sections, and a found setting can be changed in place', async () => {
  const host = await showSettings()
  await search().fill('thread lock')
  await expect.element(page.getByText(/^No setting matches/)).toBeVisible()
  await search().fill('thread')
  await expect.element(page.getByText('1 result found')).toBeVisible()
  await choice('Threads').selectOptions('A number')
  await field('Threads, number').fill('6')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => host.value('engine.threads')).toBe(6)
  await expect.element(way('General')).not.toHaveAttribute('aria-current')
  await userEvent.click(search())
  await userEvent.keyboard('{Escape}')
  await expect.element(heading('General')).toBeVisible()
})

test('the search finds choices, paths and other items, and opens them', async () => {
  const host = await showSettings()
  await search().fill('full acc')
  await expect.element(choice('New chats may')).toBeVisible()
  await search().fill('engine.gpu')
  await expect.element(choice('Graphics card')).toBeVisible()
  await search().fill('keychain')
  await press('Keys: open Privacy and network').click()
  expect(host.onSection).toHaveBeenLastCalledWith('privacy')
  await expect.element(heading('Keys')).toHaveFocus()
  await expect.element(heading('Keys')).toBeInViewport()
  await expect.element(search()).toHaveValue('')
})

test.each([
  ['as it ships', {}],
  ['that was changed, not to its reset', { config: { engine: { threads: 1 } } }],
])(
  'a found setting %s shows its name in the file and what uses it, and leads to its field, also one for experts',
  async (_, options) => {
    const host = await showSettings(undefined, options)
    await search().fill('threads')
    await expect.element(page.getByText('engine.threads')).toBeVisible()
    await expect.element(page.getByText('Used by: models on this computer')).toBeVisible()
    await press('Show it in its section: Threads').click()
    expect(host.onSection).toHaveBeenLastCalledWith('models')
    await expect.element(heading('Models and engine')).toBeVisible()
    await expect.element(choice('Threads')).toHaveFocus()
    await expect.element(choice('Threads')).toBeInViewport()
  },
)

test('in a narrow window the sections are a drop-down list', async () => {
  await page.viewport(600, 800)
  const host = await showSettings()
  await choice('Section').selectOptions('Usage')
  expect(host.onSection).toHaveBeenLastCalledWith('usage')
  await expect.element(heading('Usage')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(600)
})
