import type { Page } from '@playwright/test'
import { composer, lastAnswer, send, transcript } from './chat.ts'
import { findViolations } from './accessibility.ts'
import { expect, test } from './scripted-server.ts'

const chips = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const letter = 'Dear Ada,\nthe kiln in the cellar is fired at 1240 degrees.\n'

/** Drop files on the conversation, as from a file manager. `bytes` are in base64. */
async function drop(page: Page, ...files: { name: string; type: string; bytes: string }[]): Promise<void> {
  await composer(page).waitFor()
  await page.evaluate(given => {
    const { DataTransfer, DragEvent, File, atob, document } = globalThis as any
    const dataTransfer = new DataTransfer()
    for (const { name, type, bytes } of given) {
      const content = Uint8Array.from(atob(bytes), (sign: string) => sign.charCodeAt(0))
      dataTransfer.items.add(new File([content], name, { type }))
    }
    for (const type of ['dragenter', 'dragover', 'drop'])
      document
        .querySelector('main')
        .dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
  }, files)
}
const base64 = (text: string) => Buffer.from(text).toString('base64')

test(
  'a file is dropped, stays through a reload, and is sent and read; a large one is uploaded',
  { tag: '@story' },
  async ({ app, model }) => {
    await test.step('a dropped file is a chip, which a reload keeps', async () => {
      await drop(app, { name: 'letter.txt', type: 'text/plain', bytes: base64(letter.repeat(20)) })
      await expect(chips(app)).toContainText('tokens')
      await composer(app).fill('How hot is the kiln?')
      await app.reload()
      await expect(chips(app)).toContainText('letter.txt')
      await expect(composer(app)).toHaveValue('How hot is the kiln?')
      expect(await findViolations(app), 'a chat with an attachment').toEqual([])
    })

    await test.step('it goes with the message, and the model reads it', async () => {
      model.reply({ text: 'It is fired at 1240 degrees.' })
      await composer(app).press('Enter')
      await expect(lastAnswer(app)).toContainText('1240 degrees')
      await expect(chips(app)).toHaveCount(0)
      expect(JSON.stringify(model.requests.at(-1))).toContain('the kiln in the cellar')
    })

    await test.step('its text is read and searched without a model', async () => {
      await transcript(app)
        .getByRole('button', { name: /letter\.txt/ })
        .click()
      const text = app.getByRole('dialog', { name: 'letter.txt' })
      await text.getByLabel('Search in this text').fill('cellar')
      await expect(text.locator('mark').first()).toHaveText('cellar')
      await app.keyboard.press('Escape')
      await expect(text).toBeHidden()
    })

    await test.step('a file of 3 MB is chosen with the button and uploaded', async () => {
      const chooser = app.waitForEvent('filechooser')
      await app.getByRole('button', { name: 'Attach files' }).click()
      const buffer = Buffer.from(letter.repeat(52_000))
      await (await chooser).setFiles({ name: 'book.txt', mimeType: 'text/plain', buffer })
      await expect(chips(app)).toContainText('Passages')
      model.reply({ text: 'A long book.' })
      await send(app, 'And this one?')
      await expect(lastAnswer(app)).toContainText('A long book.')
      await expect(transcript(app).getByRole('button', { name: /book\.txt/ })).toContainText(
        'passages were sent',
      )
    })
  },
)
