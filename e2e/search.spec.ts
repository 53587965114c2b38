import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { aChatGptChat } from '../testing/chats/an-export.ts'
import { chatList, composer, dialog, lastAnswer, send, transcript } from './chat.ts'
import { corner, newChat } from './memory.ts'
import { expect, test } from './scripted-server.ts'
import { openSettings } from './settings.ts'

const day = 86_400
const agoDays = (days: number) => Math.floor(Date.now() / 1_000) - days * day

/** Chats of recent months, in the format of another program. */
const earlier = [
  aChatGptChat(
    'release',
    [
      'Is the 2.0 release ready to go out on Friday?',
      'All tests pass, and the notes are written.',
      'The new database driver loses rows when two writers meet. What now?',
      'Then we postpone the release until the driver is repaired, and tell the customers on Monday.',
    ],
    { title: 'Friday', at: agoDays(20) },
  ),
  aChatGptChat('garden', ['Which plants like shade?', 'Ferns and hostas. Tomatoes want the sun.'], {
    title: 'Shade',
    at: agoDays(45),
  }),
  ...Array.from({ length: 6 }, (_, index) =>
    aChatGptChat(
      `other-${index}`,
      [`How long do I boil ${index + 3} eggs?`, `Friday or not: ${index + 6} minutes.`],
      { title: `Eggs ${index + 1}`, at: agoDays(60 + index) },
    ),
  ),
]

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search in chats' })
const passage = (page: Page, text: RegExp) => chatList(page).getByRole('button', { name: text })
const marks = (page: Page) => chatList(page).locator('mark')

/** Import the earlier chats through the window. */
async function importEarlier(page: Page, workspace: string): Promise<void> {
  const path = join(workspace, 'export', 'conversations.json')
  await mkdir(dirname(path))
  await writeFile(path, JSON.stringify(earlier))
  await openSettings(page, 'Data')
  await page.getByRole('button', { name: 'Import chats and memories…' }).click()
  await dialog(page).getByRole('textbox', { name: 'File or folder' }).fill(path)
  await dialog(page).getByRole('button', { name: 'Look inside' }).click()
  await expect(dialog(page)).toContainText('From ChatGPT')
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Imported', exact: true })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click()
  await newChat(page)
}

test(
  'chats of today and of earlier are found by the person and by the agent, until they are deleted',
  { tag: '@story' },
  async ({ app, folders, model, relaunch }) => {
    await test.step('a search in everyday words finds last month’s decision, and Enter opens the chat at that message', async () => {
      await importEarlier(app, folders.workspace)
      model.reply({ text: 'Rye, then.' })
      await send(app, 'Which flour for Friday?')
      await expect(lastAnswer(app)).toHaveText('Rye, then.')

      await field(app).fill('why did we delay the release because of the database driver')
      await expect(passage(app, /Then we postpone the release/)).toBeVisible()
      await expect(
        marks(app)
          .filter({ hasText: /^driver$/ })
          .first(),
      ).toBeVisible()
      await expect(marks(app).filter({ hasText: /^the$/i })).toHaveCount(0)
      const rows = chatList(app).locator('[data-row]')
      await expect(rows.first()).toContainText('Friday')

      await field(app).press('ArrowDown')
      await expect(rows.first()).toBeFocused()
      await app.keyboard.press('ArrowDown')
      const name = await rows.nth(1).innerText()
      await expect(rows.nth(1)).toBeFocused()
      await app.keyboard.press('Enter')
      await expect(app).toHaveTitle('Friday – Talaria')
      const words = /Then we postpone/.test(name)
        ? /^Then we postpone the release/
        : /^The new database driver/
      await expect(transcript(app).getByText(words)).toBeInViewport()
      // The whole chat is visible, so there is no button.
      await expect(app.getByRole('button', { name: 'Jump to latest' })).toBeHidden()
      await expect(composer(app)).toBeVisible()
    })

    await test.step('the search is filtered by time and author, finds by half a word, and says when it finds nothing', async () => {
      await newChat(app)
      await field(app).fill('tomat')
      await expect(passage(app, /^Talaria.*Tomatoes want the sun/)).toBeVisible()
      await chatList(app).getByRole('button', { name: 'When: Any time' }).click()
      await app.getByRole('menuitemradio', { name: 'Last month' }).click()
      await expect(chatList(app)).toContainText('Nothing found for “tomat”.')
      await field(app).fill('driver')
      await expect(passage(app, /^You.*database driver loses rows/)).toBeVisible()
      await chatList(app).getByRole('button', { name: 'Who said it: Anyone' }).click()
      await app.getByRole('menuitemradio', { name: 'Talaria' }).click()
      await expect(passage(app, /^You/)).toHaveCount(0)
      await expect(passage(app, /^Talaria.*until the driver is repaired/)).toBeVisible()
      await field(app).fill('zebra crossing')
      await expect(chatList(app)).toContainText('Nothing found for “zebra crossing”.')
      await chatList(app).getByRole('button', { name: 'Search everywhere' }).click()
      await expect(chatList(app)).toContainText('Try fewer words')
    })

    await test.step('the agent finds messages of another chat with the same search', async () => {
      await field(app).press('Escape')
      await newChat(app)
      model.requests.length = 0
      model.reply(
        { toolCalls: [{ name: 'session_search', arguments: { query: 'why was the release postponed' } }] },
        { text: 'Because the driver lost rows.' },
      )
      await send(app, 'Why was the release postponed?')
      await expect(lastAnswer(app)).toContainText('Because the driver lost rows.')
      const found = model.chats()[1]!.body.messages.at(-1)
      expect(found.role).toBe('tool')
      expect(found.content).toContain('loses rows when two writers meet')
      expect(found.content).not.toContain('hostas')
    })

    await test.step('a deleted chat is not found, and is found again after Undo', async () => {
      await newChat(app)
      model.reply({ text: 'The plumber comes on Tuesday.' }, { text: 'Two eggs.' })
      await send(app, 'When is the sink repaired?')
      await expect(lastAnswer(app)).toHaveText('The plumber comes on Tuesday.')
      await newChat(app)
      await send(app, 'What goes into a cake?')
      await expect(lastAnswer(app)).toHaveText('Two eggs.')
      await field(app).fill('plumber')
      await expect(passage(app, /The plumber comes/)).toBeVisible()
      await field(app).press('Escape')
      const remove = async (page: Page) => {
        await page.getByRole('button', { name: 'More for “When is the sink repaired?”' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        // The row only disappears when the host has stored the change.
        await expect(page.getByRole('button', { name: 'More for “When is the sink repaired?”' })).toHaveCount(
          0,
        )
      }
      await remove(app)
      await field(app).fill('plumber')
      await expect(chatList(app)).toContainText('Nothing found for “plumber”.')
      await corner(app).getByRole('button', { name: 'Undo' }).click()
      await field(app).fill('plumbers')
      await expect(passage(app, /The plumber comes/)).toBeVisible()

      await field(app).press('Escape')
      await remove(app)
      const window = await relaunch('kill')
      await field(window).fill('cake')
      await expect(passage(window, /What goes into a cake/).first()).toBeVisible()
      await field(window).fill('plumber')
      await expect(chatList(window)).toContainText('Nothing found for “plumber”.')
    })
  },
)
