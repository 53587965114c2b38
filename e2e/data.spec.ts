import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { answers, chatRow, dialog, lastAnswer, send } from './chat.ts'
import { expect, test } from './scripted-server.ts'
import { openSettings, settings } from './settings.ts'

test.use({ filesOfHome: { '.env': 'OTHER_API_KEY=planted-key\n' } })

test('a chat is exported from its menu, everything is backed up, and a home made from the backup opens with the chat', async ({
  app,
  model,
  folders,
  endHost,
  relaunch,
}) => {
  model.reply({ text: 'Green <b>tea</b>.' })
  await send(app, 'Which tea?')
  await expect(lastAnswer(app)).toContainText('Green')

  await app.getByRole('button', { name: 'More for “Which tea?”' }).click()
  await app.getByRole('menuitem', { name: 'Export…' }).click()
  const page = join(folders.workspace, 'tea.html')
  await dialog(app).getByRole('textbox', { name: 'File' }).fill(page)
  await dialog(app).getByRole('button', { name: 'Export this chat' }).click()
  await expect(dialog(app)).toContainText('1 chat with 2 messages')
  expect(await readFile(page, 'utf8')).toContain('Green &lt;b&gt;tea&lt;/b&gt;.')
  await dialog(app).getByRole('button', { name: 'Close' }).click()

  await openSettings(app, 'Data')
  await expect(settings(app).getByRole('table', { name: 'By part' })).toContainText(
    'Chats, search and history',
  )
  const backup = join(folders.workspace, 'backup.zip')
  await settings(app).getByRole('textbox', { name: 'Backup file' }).fill(backup)
  await settings(app).getByRole('button', { name: 'Back up', exact: true }).click()
  await expect(settings(app).getByRole('list', { name: 'Left out' })).toContainText('.env')
  await settings(app).getByRole('textbox', { name: 'Backup to restore' }).fill(backup)
  await settings(app).getByRole('button', { name: 'Look inside' }).click()
  const restored = join(folders.workspace, 'restored')
  await settings(app).getByRole('textbox', { name: 'New folder' }).fill(restored)
  await settings(app).getByRole('button', { name: 'Restore into the new folder' }).click()
  await expect(settings(app)).toContainText(`talaria chat --home '${restored}'`)

  await endHost()
  await rename(folders.home, `${folders.home}-before`)
  await rename(restored, folders.home)
  const window = await relaunch()
  await chatRow(window, 'Which tea?').click()
  await expect(answers(window)).toHaveText(['Green <b>tea</b>.'])
})
