import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { approval, card, chatRow, lastAnswer, send } from './chat.ts'
import { newChat } from './memory.ts'
import { expect, test } from './scripted-server.ts'

const inChat = 'Background processes of this chat'
const background = (given: Record<string, unknown>) => ({
  toolCalls: [{ name: 'terminal', arguments: given }],
})
/** A command that writes a file when it is asked to end. */
const command = `trap ': > ended; exit' TERM; echo watching; while true; do sleep 0.1; done`

test(
  'background processes are asked about, listed, stopped, and end with the app',
  { tag: '@story' },
  async ({ app, model, folders, relaunch }) => {
    await test.step('a background process is asked about, listed with its output, and stopped', async () => {
      model.reply(background({ action: 'start', command }), { text: 'It runs.' })
      await send(app, 'Watch the files')
      await expect(approval(app)).toContainText('Start a background process')
      await expect(approval(app)).toContainText(command)
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toHaveText('It runs.')
      await expect(card(app, /^Start trap .* \d/)).toBeVisible()
      await expect(app.getByRole('region', { name: inChat })).toContainText('Running')

      await app.getByRole('button', { name: '1 background process. Show them' }).click()
      await app
        .getByRole('list', { name: 'Background processes' })
        .getByRole('button', { name: 'Output of p1' })
        .click()
      const dialog = app.getByRole('dialog', { name: 'Output of p1' })
      await expect(dialog.getByRole('group', { name: 'Output' })).toHaveText('watching')
      await dialog.getByRole('button', { name: 'Stop p1' }).click()
      await expect(dialog).toContainText('Stopped')
      await dialog.getByRole('button', { name: 'Close the output' }).click()
      await expect(app.getByRole('region', { name: inChat })).toBeHidden()
      expect(existsSync(join(folders.workspace, 'ended'))).toBe(true)

      model.reply(background({ action: 'read', id: 'p1' }), { text: 'It was stopped.' })
      await send(app, 'Does it run?')
      await expect(lastAnswer(app)).toHaveText('It was stopped.')
      expect(model.chats().at(-1)?.body.messages.at(-1)).toMatchObject({
        role: 'tool',
        content: expect.stringMatching(/^p1 was stopped: /),
      })
    })

    await test.step('in “Auto for safe reads” a start is asked about, though the command alone would not be', async () => {
      await newChat(app)
      await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
      await app.getByRole('menuitemradio', { name: /^Auto for safe reads/ }).click()
      model.reply(background({ action: 'start', command: 'ls' }), { text: 'Fine.' })
      await send(app, 'List')
      await expect(approval(app)).toContainText('Start a background process')
      await approval(app).getByRole('button', { name: 'Deny', exact: true }).click()
      await expect(lastAnswer(app)).toHaveText('Fine.')
    })

    await test.step('background processes end with the app', async () => {
      await newChat(app)
      rmSync(join(folders.workspace, 'ended'))
      model.reply(background({ action: 'start', command }), { text: 'It runs.' })
      await send(app, 'Watch them again')
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toHaveText('It runs.')
      const again = await relaunch()
      await chatRow(again, 'Watch them again').click()
      await expect(lastAnswer(again)).toHaveText('It runs.')
      expect(existsSync(join(folders.workspace, 'ended'))).toBe(true)
      await expect(again.getByRole('button', { name: /background process/ })).toBeHidden()
    })
  },
)
