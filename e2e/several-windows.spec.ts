import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { chatList, chatRow, openPage, send } from './chat.ts'
import { known, newChat, openMemory } from './memory.ts'
import { expect, test } from './scripted-server.ts'

test.skip(({ hosting }) => hosting === 'desktop', 'the desktop application has one window')

test('what one window or a terminal changes is in the other windows, without a reload', async ({
  app,
  secondWindow,
  folders,
  model,
}) => {
  const other = await secondWindow()
  const windows: Page[] = [app, other]
  const talaria = async (...words: string[]) => {
    const script = join(rootFolder(), 'out/main/cli.js')
    return (await promisify(execFile)(process.execPath, [script, ...words, '--home', folders.home])).stdout
  }

  await test.step('a chat that begins, is renamed in a terminal, and is deleted there', async () => {
    model.reply({ text: 'Steep it for three minutes.' })
    await newChat(app)
    await send(app, 'How long does green tea steep?')
    for (const page of windows) await expect(chatRow(page, 'How long does green tea steep?')).toBeVisible()
    const id = /chat_\w+/.exec(app.url())![0]
    await talaria('chats', 'rename', id, 'Tea')
    for (const page of windows) await expect(chatRow(page, 'Tea')).toBeVisible()
    await talaria('chats', 'delete', id)
    for (const page of windows) await expect(chatList(page)).not.toContainText('Tea')
  })

  await test.step('what a terminal remembers, and what a window removes', async () => {
    for (const page of windows) await openMemory(page)
    await talaria('memory', 'add', 'Lives in Bern.')
    for (const page of windows) await expect(known(page)).toContainText(['Lives in Bern.'])
    await app.getByRole('textbox', { name: 'Add something to remember' }).fill('Likes tea.')
    await app.getByRole('button', { name: 'Add', exact: true }).click()
    for (const page of windows) await expect(known(page)).toHaveCount(2)
  })

  await test.step('a schedule of a terminal', async () => {
    for (const page of windows) await openPage(page, 'Schedules')
    await talaria('schedule', 'add', 'every', 'day', 'at', '8:00', 'say', 'good', 'morning')
    for (const page of windows) await expect(page.getByRole('main')).toContainText('good morning')
  })

  await test.step('a setting of one window', async () => {
    await talaria('config', 'set', 'memory.user_limit', '2500')
    for (const page of windows) await openMemory(page)
    for (const page of windows) await expect(page.getByRole('main')).toContainText('2,500')
  })
})
