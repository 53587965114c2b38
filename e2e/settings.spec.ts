import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pastFirstRun } from './app.ts'
import { answers, lastAnswer, send } from './chat.ts'
import { corner } from './memory.ts'
import { isWritten } from './models.ts'
import { expect, test } from './scripted-server.ts'
import { openSettings, settingRow, settings } from './settings.ts'

test.describe('with a skill and a server that need keys', () => {
  test.use({
    homeFiles: async ({ model }, use) => {
      const lab = { id: 'lab', name: 'Lab', base_url: 'https://api.openai.com/v1', model: 'm' }
      const test = { id: 'test', name: 'Test', base_url: model.baseUrl, model: 'qwen3-8b' }
      await use({
        'config.yaml': pastFirstRun({ models: { default: 'server:test', servers: [test, lab] } }),
        '.env': 'TALARIA_SERVER_TEST_KEY=sk-kept-here\nMY KEY=sk-broken-line\n',
        'skills/rain/SKILL.md':
          '---\nname: rain\ndescription: Tells when it rains.\nrequired_environment_variables:\n  - name: RAIN_API_KEY\n    help: Sign up at rain.example.\n---\n\n# Rain\n',
      })
    },
  })

  test(
    'a missing key is named with what needs it, found, entered unseen, and never shown',
    { tag: '@story' },
    async ({ app }) => {
      await openSettings(app)
      const wrong = settings(app).getByRole('list', { name: 'What is wrong' }).first()
      await expect(wrong).toContainText('.env Line 2: the name before “=” has a space in it.')
      await settings(app).getByRole('searchbox').fill('sign up at rain')
      const name = 'SKILL_RAIN__RAIN_API_KEY'
      const row = settingRow(app, name)
      await expect(row).toContainText('Not set')
      await expect(row).toContainText('Needed by: the skill “rain”')
      await row.getByRole('button', { name: 'Enter the key…' }).click()
      const field = app.getByLabel(name)
      await expect(field).toHaveAttribute('type', 'password')
      await field.fill('sk-secret')
      await app.getByRole('button', { name: 'Save' }).click()
      await expect(row).toContainText('From .env, line 3')
      await expect(row).not.toContainText('Needed by')

      await settings(app).getByRole('searchbox').fill('')
      await openSettings(app, 'Privacy')
      await expect(settingRow(app, 'TALARIA_SERVER_TEST_KEY')).toContainText('From .env, line 1')
      await expect(settingRow(app, 'TALARIA_SERVER_LAB_KEY')).toContainText('the server “Lab”')
      expect(await app.locator('body').textContent()).not.toMatch(/sk-(kept|broken|secret)/)
    },
  )
})

test('a setting is found, changed, refused, written with its comments, and kept', async ({
  app,
  folders,
  relaunch,
}) => {
  await test.step('a found setting leads to its field', async () => {
    await openSettings(app)
    await settings(app).getByRole('searchbox').fill('engine.threads')
    await settings(app).getByRole('button', { name: 'Show it in its section: Threads' }).click()
    await expect(settingRow(app, 'engine.threads').getByRole('combobox')).toBeFocused()
  })

  await test.step('an invalid value is refused, and a search without results says so', async () => {
    await openSettings(app, 'Permissions')
    const wait = settingRow(app, 'approvals.wait_minutes')
    await wait.getByRole('textbox').fill('99999')
    await wait.getByRole('textbox').press('Enter')
    await expect(wait).toContainText('A number from 0.1 to 1,440.')
    await settings(app).getByRole('searchbox').fill('xylophone')
    await expect(settings(app)).toContainText('No setting matches “xylophone”.')
  })

  await test.step('comments in config.yaml are kept when a setting changes', async () => {
    await settings(app).getByRole('searchbox').fill('')
    const path = join(folders.home, 'config.yaml')
    await writeFile(path, `# Mine\nui:\n  setup_done: true\n  theme: light # easy on the eyes\n`)
    await openSettings(app, 'General')
    await app.getByText('Dark', { exact: true }).click()
    await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect
      .poll(() => readFile(path, 'utf8'))
      .toMatch(/^# Mine\nui:\n {2}setup_done: true\n {2}theme: dark # easy on the eyes\n/)
  })

  await test.step('an error in config.yaml is shown with its line, and disappears when it is corrected', async () => {
    const path = join(folders.home, 'config.yaml')
    const before = await readFile(path, 'utf8')
    await openSettings(app, 'Chat')
    await writeFile(path, '# My own words\nui:\n  setup_done: true\n  theme: purple\n')
    // The window gets this event when the user comes back from an editor.
    await app.evaluate(`window.dispatchEvent(new Event('focus'))`)
    const wrong = settings(app).getByRole('list', { name: 'What is wrong' })
    await expect(wrong).toContainText('Line 4')
    await expect(wrong).toContainText('“light”')
    await openSettings(app, 'General')
    await app.getByText('Light', { exact: true }).click()
    await expect(corner(app)).toContainText('not saved')
    expect(await readFile(path, 'utf8')).toContain('purple')

    await writeFile(path, before)
    await settings(app).getByRole('button', { name: 'Check again' }).click()
    await expect(wrong).toHaveCount(0)
    await app.getByText('Light', { exact: true }).click()
    await expect(app.locator('html')).toHaveAttribute('data-theme', 'light')
  })

  await test.step('a changed setting is marked, found by search, kept after a restart, and reset with its section', async () => {
    const config = () => readFile(join(folders.home, 'config.yaml'), 'utf8')
    await openSettings(app)
    await settings(app).getByRole('searchbox', { name: 'Search all settings' }).fill('approval timeout')
    await expect(settings(app)).toContainText('1 result found')
    const wait = settingRow(app, 'approvals.wait_minutes')
    await wait.getByRole('textbox').fill('25')
    await wait.getByRole('textbox').press('Enter')
    await expect(wait).toContainText('Changed')
    await isWritten(config, 'wait_minutes')

    const window = await relaunch('kill')
    await openSettings(window, 'Permissions')
    const row = settingRow(window, 'approvals.wait_minutes')
    await expect(row.getByRole('textbox')).toHaveValue('25')
    await expect(row).toContainText('Changed')
    await settings(window).getByRole('button', { name: 'Reset this section' }).click()
    await expect(row.getByRole('textbox')).toHaveValue('10')
    await expect(row).not.toContainText('Changed')
    await expect(corner(window)).toContainText('One setting is back to its default.')
    await corner(window).getByRole('button', { name: 'Undo' }).click()
    await expect(row.getByRole('textbox')).toHaveValue('25')
  })
})

test(
  'answers are counted by model and by chat, with their cost where prices are known',
  { tag: '@story' },
  async ({ app, model, relaunch }) => {
    const usage = { prompt_tokens: 2_000, completion_tokens: 500, total_tokens: 2_500 }
    model.reply({ text: 'One.', usage: { ...usage, prompt_tokens_details: { cached_tokens: 500 } } })
    await send(app, 'Count me')
    await expect(lastAnswer(app)).toHaveText('One.')
    await send(app, 'Again')
    await expect(answers(app)).toHaveCount(2)
    await openSettings(app, 'Usage')
    const row = settings(app)
      .getByRole('table', { name: 'By chat' })
      .getByRole('row', { name: /Count me/ })
    await expect(row).toContainText('4,000')
    await expect(row).toContainText('25%')
    await expect(row).toContainText('1,000')
    await expect(settings(app).getByRole('table', { name: 'By model' })).toContainText('Test server')
    await expect(settings(app)).toContainText('No prices known')

    const window = await relaunch('kill')
    await openSettings(window, 'Usage')
    await settings(window)
      .getByRole('table', { name: 'By chat' })
      .getByRole('button', { name: 'Count me' })
      .click()
    await expect(answers(window)).toHaveCount(2)
  },
)
