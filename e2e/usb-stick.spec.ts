import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { card, chatRow, composer, dialog, lastAnswer, send } from './chat.ts'
import { corner, newChat } from './memory.ts'
import {
  addButton,
  addFrom,
  dropFiles,
  isWritten,
  modelCard,
  modelTab,
  pathField,
  pill,
  readsTheList,
  transfers,
} from './models.ts'

// Everything here is real: the file, its copy, loading, inference and the tool.

test.use({ workspaceFiles: { 'todo.txt': 'oolong\n' } })

const config = (home: string) => readFile(join(home, 'config.yaml'), 'utf8')

/** Put a model on a “stick”: a folder outside Talaria's home. */
async function stick(folder: string, name: string, model: string): Promise<string> {
  const path = join(folder, 'stick', name)
  await mkdir(join(folder, 'stick'), { recursive: true })
  await copyFile(model, path)
  return path
}

/** Ask for a fact from a file in the workspace, and check that the tool read it. */
async function chatsWithTool(page: Page): Promise<void> {
  await send(page, 'What is on my shopping list?')
  await expect(card(page, /^Read todo\.txt/)).toBeVisible()
  await expect(lastAnswer(page)).toContainText('Your list says tea.')
}

test('a model on a USB stick is dropped on the window, copied and loaded, uses a tool, and is kept when the host is killed', async ({
  app,
  folders,
  relaunch,
}) => {
  const path = await stick(folders.workspace, 'tea.gguf', readsTheList('I came on a stick.'))
  await dropFiles(app, path)
  await expect(dialog(app)).toContainText('tea.gguf')
  await dialog(app)
    .getByRole('button', { name: /^Send / })
    .click()

  await expect(modelTab(app, 'Downloads')).toHaveAttribute('aria-selected', 'true')
  await expect(transfers(app)).toContainText('From this page · Done')
  await expect(corner(app)).toContainText('tea.gguf is ready to use.')
  // So far there was only the built-in model.
  await expect(corner(app)).toContainText('tea answers in new chats now.')
  await modelTab(app, 'Installed').click()
  const tea = modelCard(app, 'tea')
  await expect(tea).toContainText('Fits into memory')
  await expect(tea).toContainText('Made for tools, not tested yet')
  await tea.getByRole('button', { name: /^Load: / }).click()
  await expect(tea).toContainText('In memory')
  await newChat(app)
  await expect(pill(app)).toHaveText('tea')
  await chatsWithTool(app)

  await isWritten(() => config(folders.home), 'tea.gguf')
  const window = await relaunch('kill')
  await chatRow(window, 'What is on my shopping list?').click()
  await expect(lastAnswer(window)).toContainText('Your list says tea.')
  await expect(composer(window)).toHaveValue('')
  await newChat(window)
  await expect(pill(window)).toHaveText('tea')
  await chatsWithTool(window)
  expect(await readdir(join(folders.home, 'models'))).toContain('tea.gguf')
})

test(
  'a model on a USB stick is added by its path and used in place, and its memory fit is shown first',
  { tag: '@story' },
  async ({ app, folders, relaunch }) => {
    const path = await stick(folders.workspace, 'green.gguf', readsTheList('I am green.'))
    await addFrom(app, 'file')
    await pathField(app).fill(path)
    await expect(dialog(app)).toContainText('Fits into memory')
    await expect(dialog(app).getByRole('radio', { name: 'Use it where it is' })).toBeChecked()
    await addButton(app).click()
    await expect(pill(app)).toHaveText('green')
    await chatsWithTool(app)

    await isWritten(() => config(folders.home), path)
    expect(await readdir(join(folders.home, 'models')).catch(() => [])).not.toContain('green.gguf')
    const window = await relaunch('kill')
    // The first added model becomes the model of new chats.
    await expect(pill(window)).toHaveText('green')
    await send(window, 'Who are you?')
    await expect(lastAnswer(window)).toHaveText('I am green.')
  },
)
