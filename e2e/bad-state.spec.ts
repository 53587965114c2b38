import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { expect, test } from './app.ts'
import { answers, lastAnswer, send } from './chat.ts'
import { openSettings, settings } from './settings.ts'

const notices = (page: Page) => page.getByRole('region', { name: 'Notices' })

test.describe('a config.yaml that is not YAML and a state.db that is not a database', () => {
  const config = 'ui:\n  theme: dark\n agent: [1\n'
  const database = 'SQLite format 3\u0000 and then nothing that makes sense '.repeat(200)
  test.use({ homeFiles: { 'config.yaml': config, 'state.db': database } })

  test('are reported in plain words, left unchanged and copied; the chat works', async ({
    app,
    folders,
    relaunch,
  }) => {
    await expect(notices(app)).toContainText('state.db cannot be read')
    await expect(notices(app)).toContainText('It was left unchanged')
    // A line shows the most severe notice, and a button shows all of them.
    await notices(app).getByRole('button', { name: '1 more' }).click()
    const all = app.getByRole('list', { name: 'All notices' })
    for (const part of ['config.yaml', 'line ', 'Correct']) await expect(all).toContainText(part)
    await app.keyboard.press('Escape')
    await expect(all).toBeHidden()
    await send(app, 'hello')
    await expect(lastAnswer(app)).toContainText('Hello')

    await openSettings(app, 'General')
    await expect(settings(app).getByRole('list', { name: 'What is wrong' })).toContainText('Line ')
    await app.getByText('Light', { exact: true }).click()
    await expect(app.getByText(/not saved/)).toBeVisible()
    expect(readFileSync(join(folders.home, 'config.yaml'), 'utf8')).toBe(config)
    expect(readFileSync(join(folders.home, 'state.db'), 'utf8')).toBe(database)
    const copies = readdirSync(join(folders.home, 'backups')).join()
    expect(copies).toMatch(/config-invalid-\w+\.yaml/)
    expect(copies).toMatch(/damaged-.*state\.db/)
    for (const rest of ['1 more', 'Details']) {
      await expect(notices(app).getByRole('button', { name: rest })).toBeVisible()
      await notices(app).getByRole('button', { name: 'Dismiss' }).click()
    }
    await expect(notices(app)).toBeEmpty()

    const window = await relaunch()
    await expect(notices(window)).toContainText('state.db cannot be read')
    await window
      .getByRole('navigation', { name: 'Chats' })
      .getByRole('button', { name: 'hello', exact: true })
      .click()
    await expect(answers(window)).toHaveCount(1)
  })
})

test('a second Talaria on the same home says why it cannot start and exits; the first keeps running', async ({
  app,
  folders,
}) => {
  const script = join(rootFolder(), 'out/main/headless.js')
  const second = spawn(process.execPath, [script, '--home', folders.home, '--no-open'])
  const said = text(second.stderr)
  const code = await new Promise(resolve => second.once('close', resolve))
  expect(code).toBe(1)
  expect(await said).toBe(
    `Talaria is already running with the folder ${folders.home}. Use that one, or start this one with another folder (--home).\n`,
  )
  await send(app, 'hello')
  await expect(lastAnswer(app)).toContainText('Hello')
})
