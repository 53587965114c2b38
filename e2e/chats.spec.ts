import type { Page } from '@playwright/test'
import { answers, chatList, chatRow, composer, lastAnswer, send } from './chat.ts'
import { expect, test, words } from './scripted-server.ts'
import { openSettings, settings } from './settings.ts'

const newChat = (page: Page) => page.getByRole('button', { name: 'New chat', exact: true })
const menuOf = (page: Page, title: string) => page.getByRole('button', { name: `More for “${title}”` })

/** Create one chat per message and stay in the last one. */
async function makeChats(page: Page, ...messages: string[]): Promise<void> {
  for (const message of messages) {
    await newChat(page).click()
    await send(page, message)
    await expect(answers(page)).toHaveCount(1)
    await expect(chatRow(page, message)).toHaveAttribute('aria-current', 'page')
  }
}

test(
  'chats run side by side, and everything works by keyboard',
  { tag: '@story' },
  async ({ app, model, hosting }) => {
    await test.step('a chat keeps running in the background while another one is open', async () => {
      const second = words(150, 3)
      model.reply({ text: 'Short.' }, second, { text: 'Third.' })
      await makeChats(app, 'First chat')
      await newChat(app).click()
      await send(app, 'Second chat')
      await expect(lastAnswer(app)).toContainText('word3 ')
      await chatRow(app, 'First chat').click()
      await expect(answers(app)).toHaveText(['Short.'])
      await expect(chatList(app).getByRole('button', { name: 'Second chat is being answered' })).toBeVisible()
      await send(app, 'Meanwhile')
      await expect(lastAnswer(app)).toHaveText('Third.')
      second.goOn()
      await chatList(app)
        .getByRole('button', { name: /^Second chat/ })
        .click()
      await expect(lastAnswer(app)).toContainText('word150')
      await expect(answers(app)).toHaveCount(1)
    })

    await test.step('everything works by keyboard', async () => {
      await makeChats(app, 'Alpha', 'Beta')
      await app.keyboard.press(hosting === 'desktop' ? 'ControlOrMeta+n' : 'Alt+n')
      await expect(composer(app)).toBeFocused()
      await expect(answers(app)).toHaveCount(0)

      await app.keyboard.press('ControlOrMeta+Shift+f')
      await expect(app.getByRole('searchbox')).toBeFocused()
      await app.keyboard.press('ArrowDown')
      await expect(chatRow(app, 'Beta')).toBeFocused()
      await app.keyboard.press('ArrowDown')
      await app.keyboard.press('Enter')
      await expect(app).toHaveTitle('Alpha – Talaria')

      await chatRow(app, 'Beta').focus()
      await app.keyboard.press('F2')
      await app.keyboard.type('Gamma')
      await app.keyboard.press('Enter')
      await expect(chatRow(app, 'Gamma')).toBeFocused()
      await app.keyboard.press('Delete')
      await expect(chatRow(app, 'Gamma')).toBeHidden()
      await expect(chatRow(app, 'Alpha')).toBeFocused()

      await app.keyboard.press('ControlOrMeta+,')
      await expect(settings(app)).toBeVisible()
      expect(new URL(app.url()).hash).toContain('page=settings')
      await app.keyboard.press('ControlOrMeta+/')
      await expect(app.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await app.keyboard.press('Escape')
      await expect(app.getByRole('dialog')).toHaveCount(0)
    })
  },
)

test(
  'a pinned chat and settings take effect at once and are kept after a restart',
  { tag: '@story' },
  async ({ app, relaunch }) => {
    await makeChats(app, 'Old one', 'New one')
    await menuOf(app, 'Old one').click()
    await app.getByRole('menuitem', { name: 'Pin' }).click()
    const titles = (page: Page) => chatList(page).getByRole('listitem')
    await expect(titles(app)).toHaveText(['Old one', 'New one'])
    await openSettings(app, 'General')
    await app.getByText('Dark', { exact: true }).click()
    await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark')
    await openSettings(app, 'Chat')
    await app.getByText('Ctrl+Enter').or(app.getByText('⌘⏎')).click()
    await newChat(app).click()
    await expect(composer(app)).toHaveAccessibleDescription(/sends, Enter starts a new line$/)
    await composer(app).fill('One line')
    await composer(app).press('Enter')
    await composer(app).pressSequentially('and another')
    await composer(app).press('ControlOrMeta+Enter')
    await expect(app.getByRole('article', { name: 'You' })).toHaveText('One line\nand another')
    // The window shows a message before the host has stored it.
    await expect(titles(app)).toHaveCount(3)

    const window = await relaunch()
    await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark')
    const order = ['Old one', /^One line/, 'New one']
    await expect(titles(window)).toHaveText(order)
    await menuOf(window, 'Old one').click()
    await window.getByRole('menuitem', { name: 'Unpin' }).click()
    await expect(titles(window)).toHaveText([/^One line/, 'New one', 'Old one'])
  },
)
