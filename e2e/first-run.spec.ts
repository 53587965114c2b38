import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { card, composer, dialog, lastAnswer, send } from './chat.ts'
import { known, openMemory } from './memory.ts'
import { addButton, isWritten, pathField, pill, readsTheList } from './models.ts'
import { openSettings, settings } from './settings.ts'

test.use({ firstRun: true, workspaceFiles: { 'todo.txt': 'oolong\n' } })

const steps = (page: Page): Locator => page.getByRole('main', { name: 'First steps' })
const heading = (page: Page, name: string): Locator => steps(page).getByRole('heading', { level: 1, name })
const goOn = (page: Page): Promise<void> => steps(page).getByRole('button', { name: 'Continue' }).click()
const isOver = (home: string): Promise<void> =>
  isWritten(() => readFile(join(home, 'config.yaml'), 'utf8'), 'setup_done: true')

test('the first steps lead from a welcome to a chat with a model of one’s own, and are shown again on request only', async ({
  app,
  folders,
  relaunch,
}) => {
  await expect(heading(app, 'Welcome to Talaria')).toBeFocused()
  await app.getByText('Dark', { exact: true }).click()
  await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark')
  await steps(app).getByRole('button', { name: 'See what was sent so far' }).click()
  await expect(dialog(app)).toContainText('No requests yet.')
  await app.keyboard.press('Escape')

  // Enter goes on, so nobody needs the mouse.
  await goOn(app)
  await expect(heading(app, 'This computer')).toBeFocused()
  await expect(steps(app)).toContainText(/GB free of/)
  await goOn(app)

  await expect(heading(app, 'A model')).toBeFocused()
  await expect(
    steps(app)
      .getByRole('button', { name: /^Download / })
      .first(),
  ).toBeVisible()
  await steps(app)
    .getByRole('button', { name: /^A \.gguf file…/ })
    .click()
  const path = join(folders.workspace, 'mine.gguf')
  await copyFile(readsTheList('I am yours.'), path)
  await pathField(app).fill(path)
  await expect(dialog(app)).toContainText('Fits into memory')
  await addButton(app).click()
  await expect(dialog(app)).toHaveCount(0)
  await expect(steps(app).getByRole('listitem').filter({ hasText: 'mine' })).toContainText(
    'Answers in new chats',
  )
  await goOn(app)

  await expect(heading(app, 'How should it learn?')).toBeFocused()
  await steps(app)
    .getByRole('radio', { name: /^Save and tell me/ })
    .check()
  await steps(app).getByRole('textbox', { name: 'About you (optional)' }).fill('Drinks tea.')
  await goOn(app)
  await expect(heading(app, 'Ready')).toBeFocused()
  await expect(steps(app)).toContainText('mine answers in your first chat.')
  await steps(app).getByRole('button', { name: 'Start your first chat' }).click()

  await expect(composer(app)).toBeVisible()
  await expect(pill(app)).toHaveText('mine')
  await send(app, 'What is on my shopping list?')
  await expect(card(app, /^Read todo\.txt/)).toBeVisible()
  await expect(lastAnswer(app)).toContainText('Your list says tea.')

  await isOver(folders.home)
  const window = await relaunch('kill')
  await expect(composer(window)).toBeVisible()
  await expect(steps(window)).toHaveCount(0)
  await test.step('what was told is kept', async () => {
    await openMemory(window)
    await expect(known(window)).toContainText('Drinks tea.')
    await openSettings(window, 'Learning and memory')
    await expect(settings(window).getByRole('combobox', { name: 'How to learn' })).toHaveValue('save')
  })
  await test.step('the steps can be shown again', async () => {
    await openSettings(window, 'General')
    await settings(window).getByRole('button', { name: 'Show them again' }).click()
    await expect(heading(window, 'Welcome to Talaria')).toBeVisible()
    for (const next of ['This computer', 'A model', 'How should it learn?']) {
      await goOn(window)
      await expect(heading(window, next)).toBeVisible()
    }
    await steps(window).getByRole('button', { name: 'Skip', exact: true }).click()
    await steps(window).getByRole('button', { name: 'Start your first chat' }).click()
    await expect(composer(window)).toBeVisible()
  })
})
