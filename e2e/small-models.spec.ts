import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { expect, pastFirstRun, test } from './app.ts'
import { approval, chatRow, lastAnswer, send, transcript } from './chat.ts'
import { chips, context, newChat } from './memory.ts'
import { modelCard, openDetails, openModels } from './models.ts'

// A real model in a real engine, which never calls a tool.

const path = scriptedModel({ reply: 'I am small and like to talk.' })
const about = (page: Page): Locator => transcript(page).getByRole('region', { name: 'About this answer' })
const BY_TALARIA = 'Said by Talaria, by rules, not by the model.'

test.use({
  homeFiles: { 'config.yaml': pastFirstRun({ models: { default: `file:${path}`, files: [path] } }) },
  workspaceFiles: { 'notes.txt': 'Buy blue paint.\n' },
})

test(
  'a model that calls no tools: Talaria says so, offers the call, and begins it where the decider is on',
  { tag: '@story' },
  async ({ app, folders, relaunch }) => {
    let window = app
    await test.step('nothing was looked at, and the button under the answer reads the file', async () => {
      await send(window, 'read notes.txt')
      await expect(about(window)).toContainText('Nothing was looked at for this answer.')
      await window.reload()
      const offered = about(window).getByRole('button', { name: 'Read notes.txt', exact: true })
      await offered.focus()
      await window.keyboard.press('Enter')
      await expect(lastAnswer(window)).toContainText('Buy blue paint.')
      await expect(lastAnswer(window)).toContainText(BY_TALARIA)
      await expect(transcript(window)).toContainText('Chosen by you')
      await expect(about(window).getByRole('button')).toHaveCount(0)
    })

    await test.step('a wish to remember is saved by a button', async () => {
      await newChat(window)
      await send(window, 'Remember that I use pnpm')
      await expect(about(window)).toContainText('Nothing was saved for this answer.')
      await about(window)
        .getByRole('button', { name: /^Save “.*pnpm”$/ })
        .click()
      await expect(chips(window)).toContainText(['pnpm'])
    })

    await test.step('the decider is switched on for a chat, which then has no tools in its prompt', async () => {
      await newChat(window)
      await send(window, '/context')
      await context(window).getByText('Settings for this chat').click()
      await expect(context(window)).toContainText('The decider is off in this chat, because')
      await context(window).getByRole('combobox', { name: 'Decider' }).selectOption('on')
      await expect(context(window)).toContainText('The decider is on in this chat.')
      await send(window, 'Read notes.txt, then write hello into b.txt')
      await expect(lastAnswer(window)).toContainText('Buy blue paint.')
      await expect(transcript(window)).toContainText('Chosen by the decider')
      await expect(context(window)).toContainText('the decider chooses the tool of a message')
    })

    await test.step('the second part of a request is done by a button after a crash, and asks first', async () => {
      window = await relaunch('kill')
      await chatRow(window, 'Read notes.txt, then write hello into b.txt').click()
      await expect(about(window)).toContainText('One thing is left to do.')
      await about(window).getByRole('button', { name: 'Write hello into b.txt' }).click()
      await approval(window).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(window)).toContainText('I created b.txt')
      await expect(lastAnswer(window)).toContainText(BY_TALARIA)
      expect((await readFile(join(folders.workspace, 'b.txt'), 'utf8')).trim()).toBe('hello')
    })

    await test.step('its page says for how many chats its memory is', async () => {
      await openModels(window)
      const name = basename(path, '.gguf')
      await openDetails(window, name)
      await expect(modelCard(window, name)).toContainText('Context for 2 chats')
      await modelCard(window, name).getByText('For experts').click()
      await modelCard(window, name).getByRole('textbox', { name: 'Chats at the same time' }).fill('1')
      await window.keyboard.press('Enter')
      await expect(modelCard(window, name)).toContainText('Context for one chat')
    })
  },
)
