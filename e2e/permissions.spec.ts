import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { approval, card, denyAndExplain, lastAnswer, send } from './chat.ts'
import { newChat } from './memory.ts'
import { callOf, expect, test } from './scripted-server.ts'

test(
  'the user decides what a chat may do, and nothing may wreck the system',
  { tag: '@story' },
  async ({ app, model, folders }) => {
    await test.step('the reason for a denial is sent to the model', async () => {
      model.reply(callOf('touch proof'), { text: 'With an e, then.' })
      await send(app, 'Make a file')
      await denyAndExplain(app)
      await app.getByRole('textbox', { name: 'What should it do instead?' }).fill('Call it prove')
      await app.keyboard.press('Enter')
      await expect(lastAnswer(app)).toHaveText('With an e, then.')
      await expect(card(app, 'Run touch proof Denied')).toBeVisible()
      expect(model.chats().at(-1)?.body.messages.at(-1)).toMatchObject({
        role: 'tool',
        content: expect.stringContaining('Call it prove'),
      })
      expect(existsSync(join(folders.workspace, 'proof'))).toBe(false)
    })

    await test.step('a file change is shown as an exact diff', async () => {
      await newChat(app)
      const write = { name: 'write_file', arguments: { path: 'plan.md', content: '# Plan\n\n- sail\n' } }
      model.reply({ toolCalls: [write] }, { text: 'Written.' })
      await send(app, 'Write a plan')
      await expect(approval(app)).toContainText('Create plan.md')
      await expect(approval(app)).toContainText('- sail')
      expect(existsSync(join(folders.workspace, 'plan.md'))).toBe(false)
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toHaveText('Written.')
      expect(existsSync(join(folders.workspace, 'plan.md'))).toBe(true)
    })

    await test.step('a new approval mode of a chat applies at once, also during a turn', async () => {
      await newChat(app)
      model.reply(callOf('ls'), callOf('ls -a'), callOf('touch proof'), { text: 'Done.' })
      await send(app, 'Look around')
      await expect(approval(app)).toBeVisible()
      await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
      await app.getByRole('menuitemradio', { name: /^Auto for safe reads/ }).click()
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(card(app, /^Ran 2 commands/)).toBeVisible()
      await expect(approval(app)).toContainText('touch proof')
      await app.locator('.composer').getByRole('button', { name: 'Permissions: Auto for safe reads' }).click()
      await app.getByRole('menuitemradio', { name: /^Full access/ }).click()
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toHaveText('Done.')

      model.reply(callOf('touch another'), { text: 'Unasked.' })
      await send(app, 'Go on')
      await expect(lastAnswer(app)).toHaveText('Unasked.')
    })

    await test.step('in chat only, no tool is offered', async () => {
      await newChat(app)
      await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
      await app.getByRole('menuitemradio', { name: /^Chat only/ }).click()
      model.reply({ text: 'Hello.' })
      await send(app, 'Hi')
      await expect(lastAnswer(app)).toHaveText('Hello.')
      expect(model.chats().at(-1)?.body.tools).toBeUndefined()
    })

    await test.step('a command that would wreck the system never runs, not even with full access', async () => {
      await newChat(app)
      rmSync(join(folders.workspace, 'proof'))
      await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
      await app.getByRole('menuitemradio', { name: /^Full access/ }).click()
      // If the hardline floor failed, `rm` would still refuse because of this option.
      model.reply(callOf('touch proof; rm -rf --preserve-root /'), { text: 'I may not.' })
      await send(app, 'Make room')
      await expect(lastAnswer(app)).toHaveText('I may not.')
      await card(app, /Denied$/).click()
      await expect(app.getByText(/This never runs, in any mode\./).first()).toBeVisible()
      expect(existsSync(join(folders.workspace, 'proof'))).toBe(false)
    })
  },
)
