import type { Page } from '@playwright/test'
import { answers, chatList, chatRow, composer, lastAnswer, send } from './chat.ts'
import { expect, test, words } from './served.ts'
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

test('a chat keeps running in the background while another one is open', async ({ app, model }) => {
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

test('a chat is renamed in the list and in its header', async ({ app }) => {
  await makeChats(app, 'Plan the trip')
  await menuOf(app, 'Plan the trip').click()
  await app.getByRole('menuitem', { name: 'Rename' }).click()
  await app.getByRole('textbox', { name: 'New title' }).fill('Journey to Crete')
  await app.keyboard.press('Enter')
  await expect(chatRow(app, 'Journey to Crete')).toBeFocused()

  await app.getByRole('heading', { level: 1 }).getByRole('button').click()
  await app.getByRole('textbox', { name: 'Title of the chat' }).fill('Journey to Naxos')
  await app.keyboard.press('Enter')
  await expect(chatRow(app, 'Journey to Naxos')).toBeVisible()
  await expect(app).toHaveTitle('Journey to Naxos – Talaria')
})

test('search finds chats by title and by what was said in them', async ({ app, model }) => {
  model.reply({ text: 'Olives grow there.' }, { text: 'It is a mouse.' })
  await makeChats(app, 'About Crete', 'About Linux')
  const field = app.getByRole('searchbox', { name: 'Search in chats' })
  for (const [query, found] of [
    ['linux', 'About Linux'],
    ['olives', 'About Crete'],
  ] as const) {
    await field.fill(query)
    await expect(chatList(app).getByRole('status')).toHaveText('1 chat found')
    await expect(chatRow(app, found)).toBeVisible()
  }
  await field.press('Enter')
  await expect(answers(app)).toHaveText(['Olives grow there.'])
  await field.fill('nothing like it')
  await expect(chatList(app)).toContainText('Nothing found for “nothing like it”.')
  await field.press('Escape')
  await expect(chatRow(app, 'About Linux')).toBeVisible()
})

test('a pinned chat is first in the list, also after a restart', async ({ app, relaunch }) => {
  await makeChats(app, 'Old one', 'New one')
  await menuOf(app, 'Old one').click()
  await app.getByRole('menuitem', { name: 'Pin' }).click()
  const titles = (page: Page) => chatList(page).getByRole('listitem')
  const order = ['Old one', 'New one']
  await expect(titles(app)).toHaveText(order)
  const window = await relaunch()
  await expect(titles(window)).toHaveText(order)
  await menuOf(window, 'Old one').click()
  await window.getByRole('menuitem', { name: 'Unpin' }).click()
  await expect(titles(window)).toHaveText(order.toReversed())
})

test('Undo restores a deleted chat', async ({ app, model }) => {
  model.reply({ text: 'Kept.' })
  await makeChats(app, 'Keep me')
  await menuOf(app, 'Keep me').click()
  await app.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(chatRow(app, 'Keep me')).toBeHidden()
  await expect(answers(app)).toHaveCount(0)
  const messages = app.getByRole('status', { name: 'What just happened' })
  await expect(messages).toContainText('“Keep me” was removed.')
  await messages.getByRole('button', { name: 'Undo' }).click()
  await expect(chatRow(app, 'Keep me')).toBeVisible()
  await expect(answers(app)).toHaveText(['Kept.'])
})

test('everything works by keyboard', async ({ app, hosting }) => {
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

test('settings take effect at once and are kept after a restart', async ({ app, relaunch }) => {
  await openSettings(app, 'Appearance')
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

  const window = await relaunch()
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark')
})
