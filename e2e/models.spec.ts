import { writeFileSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { expect, test } from './app.ts'
import { dialog, lastAnswer, send, transcript } from './chat.ts'
import { corner, newChat } from './memory.ts'
import { addButton, addFrom, dropFiles, modelCard, modelTab, pathField, pill, transfers } from './models.ts'

async function addFile(page: Page, path: string): Promise<void> {
  await addFrom(page, 'file')
  await pathField(page).fill(path)
  await addButton(page).click()
}

const small = scriptedModel({ reply: 'I am small.' })
const smallName = basename(small, '.gguf')

test(
  'the demo model and model files are told apart, refused, lost and recognised',
  { tag: '@story' },
  async ({ app, folders }) => {
    await test.step('the built-in model is called a demo everywhere', async () => {
      await expect(pill(app)).toHaveText('Built-in demo model')
      await expect(app.getByText('Real work needs a bigger model.').first()).toBeVisible()
      await pill(app).click()
      await expect(dialog(app).getByRole('button', { name: /^Built-in demo model/ })).toHaveAttribute(
        'title',
        /Tiny, for a first look\. Real work needs a bigger model\.$/,
      )
      await app.keyboard.press('Escape')
      await expect(dialog(app)).toHaveCount(0)
    })

    await test.step('a file that is missing, damaged or not a model is refused by name, with the next step', async () => {
      const at = (name: string) => join(folders.home, name)
      writeFileSync(at('letter.gguf'), 'Dear Ada,')
      writeFileSync(at('cut.gguf'), (await readFile(scriptedModel({ reply: 'Hello.' }))).subarray(0, 200_000))
      await addFile(app, at('nowhere.gguf'))
      const field = pathField(app)
      const said = dialog(app).getByRole('alert')
      await expect(said).toContainText('nowhere.gguf')
      for (const name of ['letter.gguf', 'cut.gguf']) {
        await field.fill(at(name))
        await field.press('Enter')
        await expect(said).toContainText(name)
        // One sentence says what is wrong, another one what to do.
        expect((await said.innerText()).match(/\./g)?.length).toBeGreaterThan(2)
      }
      await app.keyboard.press('Escape')
      await expect(pill(app)).toHaveText('Built-in demo model')
    })

    await test.step('a damaged file dropped on the window is refused with the reason; a file that is not a model is not uploaded', async () => {
      const cut = join(folders.workspace, 'cut.gguf')
      const letter = join(folders.workspace, 'letter.txt')
      await writeFile(cut, (await readFile(small)).subarray(0, 200_000))
      await writeFile(letter, 'Dear Ada,')
      await dropFiles(app, letter)
      await expect(corner(app)).toContainText('You can drop model files here. Their names end with .gguf.')

      await dropFiles(app, cut)
      await dialog(app)
        .getByRole('button', { name: /^Send / })
        .click()
      await expect(corner(app)).toContainText('cut.gguf could not be added.')
      await expect(transfers(app)).toContainText('Failed')
      const said = transfers(app).getByRole('alert')
      await expect(said).toContainText('cut.gguf')
      await expect(said).toContainText(/cut short|incomplete|damaged|ends/)
      await modelTab(app, 'Installed').click()
      await expect(modelCard(app, 'Built-in demo model')).toBeVisible()
      await expect(modelCard(app, 'cut')).toHaveCount(0)
    })

    await test.step('a deleted model file is named in the chat, and another model continues the chat', async () => {
      await newChat(app)
      const path = join(folders.home, 'gone.gguf')
      writeFileSync(path, await readFile(scriptedModel({ reply: 'Here.' })))
      await addFile(app, path)
      await expect(dialog(app)).toBeHidden()
      writeFileSync(path, 'overwritten')
      await send(app, 'hello')
      await expect(transcript(app)).toContainText('gone.gguf')
      await pill(app).click()
      await dialog(app)
        .getByRole('button', { name: /^Built-in demo model/ })
        .click()
      await transcript(app).getByRole('button', { name: 'Try again' }).click()
      await expect(lastAnswer(app)).toContainText('Hello')
    })

    await test.step('a second copy of a model and a model that is already added are recognised, by path and by upload', async () => {
      const copy = join(folders.workspace, 'copy.gguf')
      await copyFile(small, copy)
      await addFrom(app, 'file')
      await pathField(app).fill(small)
      await addButton(app).click()
      await expect(pill(app)).toHaveText(smallName)

      await addFrom(app, 'file')
      await pathField(app).fill(small)
      await expect(dialog(app)).toContainText('Already in your list.')
      await pathField(app).fill(copy)
      await expect(dialog(app)).toContainText(`The same model as ${smallName}, which is in your list.`)
      await app.keyboard.press('Escape')
      await expect(dialog(app)).toHaveCount(0)
    })
  },
)
