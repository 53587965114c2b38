import type { Page } from '@playwright/test'
import { answers, chatRow, send } from './chat.ts'
import { expect, test } from './scripted-server.ts'
import { openSettings } from './settings.ts'

const newChat = (page: Page) => page.getByRole('button', { name: 'New chat', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Recently deleted' })
const rows = (page: Page) => dialog(page).getByRole('listitem')

/** Make a chat and remove it. */
async function removeChat(page: Page, message: string): Promise<void> {
  await newChat(page).click()
  await send(page, message)
  await expect(answers(page)).toHaveCount(1)
  await page.getByRole('button', { name: `More for “${message}”` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(chatRow(page, message)).toBeHidden()
}

test(
  'a deleted chat is restored after a restart with its messages, or removed for good after a question',
  { tag: '@story' },
  async ({ app, model, relaunch }) => {
    model.reply({ text: 'Kept.' })
    for (const message of ['Bring me back', 'First secret', 'Second secret']) await removeChat(app, message)
    await openSettings(app, 'Data')
    await app.getByRole('button', { name: 'Recently deleted…' }).click()
    await expect(rows(app)).toHaveText([/^Second secret/, /^First secret/, /^Bring me back/])
    await dialog(app).getByRole('button', { name: 'Delete now: “First secret”' }).click()
    await expect(dialog(app)).toContainText('Delete for good? This cannot be undone.')
    await dialog(app).getByRole('button', { name: 'Delete now', exact: true }).click()
    await expect(rows(app)).toHaveText([/^Second secret/, /^Bring me back/])

    const window = await relaunch()
    await window.getByRole('button', { name: /^Recently deleted/ }).click()
    await expect(rows(window)).toHaveText([/^Second secret/, /^Bring me back.*30 days left/])
    await dialog(window).getByRole('button', { name: 'Restore “Bring me back”' }).click()
    await expect(dialog(window)).toBeHidden()
    await expect(chatRow(window, 'Bring me back')).toBeVisible()
    await expect(answers(window)).toHaveText(['Kept.'])
  },
)
