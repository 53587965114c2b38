import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { linePage, makePdf } from '../testing/documents/make-pdf.ts'
import { composer, lastAnswer, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { findViolations } from './accessibility.ts'
import { expect, test } from './scripted-server.ts'

const chips = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const chip = (page: Page, name: string) => chips(page).getByRole('listitem').filter({ hasText: name })
const sent = (page: Page, name: string | RegExp) => transcript(page).getByRole('button', { name })

/** Paste a text, or a picture of one colour, as a browser does. */
async function paste(page: Page, given: { text: string } | { colour: string }): Promise<void> {
  await composer(page).focus()
  await page.evaluate(async what => {
    const { DataTransfer, ClipboardEvent, OffscreenCanvas, File, document } = globalThis as any
    const clipboardData = new DataTransfer()
    if ('text' in what) clipboardData.setData('text/plain', what.text)
    else {
      const canvas = new OffscreenCanvas(80, 40)
      const context = canvas.getContext('2d')
      context.fillStyle = what.colour
      context.fillRect(0, 0, 80, 40)
      const blob = await canvas.convertToBlob({ type: 'image/png' })
      clipboardData.items.add(new File([blob], 'image.png', { type: 'image/png' }))
    }
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })
    document.activeElement.dispatchEvent(event)
  }, given)
}

test.use({
  workspaceFiles: { 'plan.md': 'The meeting is on Tuesday.', 'docs/kiln.txt': 'It has 1240 degrees.' },
})

test(
  'pasted pictures and long texts, and files named with @, go with a message',
  { tag: '@story' },
  async ({ app, model, folders }) => {
    await test.step('a picture and a long text are pasted', async () => {
      await paste(app, { colour: 'red' })
      await expect(chip(app, 'Pasted picture.png')).toContainText('80 × 40')
      await paste(app, { text: 'A line of many words.\n'.repeat(500) })
      await expect(chip(app, 'Pasted text.txt')).toContainText('tokens')
      await expect(composer(app)).toHaveValue('')
    })

    await test.step('@ lists the files of the folder, and Enter attaches one', async () => {
      await composer(app).pressSequentially('Compare it with @kil')
      const files = app.getByRole('listbox', { name: 'Files in this folder' })
      await expect(files.getByRole('option')).toContainText('docs')
      for (const colorScheme of ['light', 'dark'] as const) {
        await app.emulateMedia({ colorScheme })
        expect(await findViolations(app), `the list of files, ${colorScheme}`).toEqual([])
      }
      await composer(app).press('Enter')
      await expect(chip(app, 'kiln.txt')).toContainText('tokens')
      await expect(composer(app)).toHaveValue('Compare it with kiln.txt ')
    })

    await test.step('what changes on the disk is said, and attached as it is now', async () => {
      writeFileSync(join(folders.workspace, 'docs/kiln.txt'), 'It has 900 degrees only.')
      // As when the user comes back from an editor.
      await app.evaluate(() => (globalThis as any).dispatchEvent(new Event('focus')))
      await expect(chip(app, 'kiln.txt')).toContainText('The file has changed on disk.')
      await app.getByRole('button', { name: 'Attach it as it is now' }).click()
      await expect(app.getByRole('button', { name: 'Attach it as it is now' })).toBeHidden()
      await expect(chip(app, 'kiln.txt')).toHaveCount(1)
    })

    await test.step('a reload keeps all three, and the model gets them', async () => {
      await app.reload()
      await expect(chips(app).getByRole('listitem')).toHaveCount(3)
      model.reply({ text: 'Red, and 900 degrees.' })
      await composer(app).press('Enter')
      await expect(lastAnswer(app)).toContainText('900 degrees')
      const asked = JSON.stringify(model.requests.at(-1))
      expect(asked).toContain('data:image/')
      expect(asked).toContain('It has 900 degrees only.')
      expect(asked).toContain('A line of many words.')
      await expect(chips(app)).toHaveCount(0)
    })
  },
)

test('a locked document that is uploaded asks for its password', { tag: '@story' }, async ({ app }) => {
  // Larger than anything that is sent as part of a call.
  const page = linePage('The safe is behind the picture.')
  const buffer = makePdf(
    [{ ...page, draws: `${page.draws}\n${'% nothing is drawn by this line\n'.repeat(70_000)}` }],
    {
      password: 'kiln',
    },
  )
  const chooser = app.waitForEvent('filechooser')
  await app.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name: 'safe.pdf', mimeType: 'application/pdf', buffer })
  await app.getByRole('button', { name: 'Enter its password' }).click()
  await app.getByLabel('Password', { exact: true }).fill('kiln')
  await app.keyboard.press('Enter')
  await expect(chip(app, 'safe.pdf')).toContainText('tokens')
})

test(
  'other windows see what is attached; the queue, edits, retries and branches keep it',
  { tag: '@story' },
  async ({ app, model, secondWindow }) => {
    const gate = Promise.withResolvers<void>()

    await test.step('files of a message that is written meanwhile wait with it in the queue', async () => {
      model.reply({ text: 'Good morning.', halts: [{ after: 1, until: gate.promise }] })
      await send(app, 'Hello')
      await expect.poll(() => model.chats().length).toBe(1)
      await composer(app).pressSequentially('When is it? @plan')
      await expect(app.getByRole('option', { name: /plan\.md/ })).toBeVisible()
      await composer(app).press('Enter')
      await expect(app.getByText('A message with files is sent when this answer is done.')).toBeVisible()
      await expect(chip(app, 'plan.md')).toContainText('tokens')
      await composer(app).press('Enter')
      const queue = app.getByRole('region', { name: 'Queued messages' })
      await expect(queue).toContainText('plan.md')
      await expect(chips(app)).toHaveCount(0)
      model.reply({ text: 'On Tuesday.' })
      gate.resolve()
      await expect(lastAnswer(app)).toContainText('On Tuesday.')
      expect(JSON.stringify(model.requests.at(-1))).toContain('The meeting is on Tuesday.')
    })

    await test.step('a retry and an edit send it again, and the version before has it too', async () => {
      model.reply({ text: 'Tuesday it is.' }, { text: 'In the hall.' })
      await send(app, '/retry')
      await expect(lastAnswer(app)).toContainText('Tuesday it is.')
      expect(JSON.stringify(model.requests.at(-1))).toContain('The meeting is on Tuesday.')
      const question = transcript(app).getByRole('article', { name: 'You' }).last()
      await question.getByRole('button', { name: 'Edit message' }).click()
      await app.getByRole('textbox', { name: 'Your message' }).fill('Where is it?')
      await app.getByRole('textbox', { name: 'Your message' }).press('Control+Enter')
      await expect(lastAnswer(app)).toContainText('In the hall.')
      expect(JSON.stringify(model.requests.at(-1))).toContain('The meeting is on Tuesday.')
      await expect(sent(app, /plan\.md/)).toBeVisible()
      await question.getByRole('button', { name: 'Previous version' }).click()
      await expect(lastAnswer(app)).toContainText('Tuesday it is.')
      await expect(sent(app, /plan\.md/)).toBeVisible()
    })

    await test.step('another window has the chips of this one at once, and takes them back', async () => {
      await newChat(app)
      await composer(app).pressSequentially('Look at @kiln')
      await expect(app.getByRole('option', { name: /kiln\.txt/ })).toBeVisible()
      const other = await secondWindow()
      await app.bringToFront()
      await composer(app).press('Enter')
      await expect(chip(app, 'kiln.txt')).toContainText('tokens')
      await expect(chip(other, 'kiln.txt')).toContainText('tokens')
      await other.getByRole('button', { name: 'Remove kiln.txt' }).click()
      await expect(chips(app)).toHaveCount(0)
    })
  },
)
