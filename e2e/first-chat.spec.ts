import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { answers, approval, card, composer, lastAnswer, send } from './chat.ts'
import { newChat } from './memory.ts'

// All specs here run on the built-in model with real inference and a real shell.

test.use({ workspaceFiles: { 'notes.md': '# Notes\n', 'todo.txt': 'buy milk\n' } })

const question = 'run ls'

/** Send the question and wait for the approval request. */
async function askForFiles(page: Page): Promise<void> {
  await send(page, question)
  await expect(approval(page)).toBeVisible()
}

test('the demo model says what it can do, and lists and reads files of its folder without approval', async ({
  app,
}) => {
  await send(app, 'What can you do?')
  await expect(lastAnswer(app)).toContainText('“list the files here”')

  await newChat(app)
  await send(app, 'list my files')
  await expect(lastAnswer(app)).toContainText('notes.md')
  await expect(lastAnswer(app)).toContainText('todo.txt')
  await expect(approval(app)).toHaveCount(0)

  await newChat(app)
  await send(app, 'read todo.txt')
  await expect(lastAnswer(app)).toContainText('buy milk')
  await card(app, /^Read todo\.txt \d.* s$/).click()
  await expect(app.getByText('Why it ran: reading in its folder')).toBeVisible()
})

test(
  'a command of the demo model waits for an answer by mouse or keyboard',
  { tag: '@story' },
  async ({ app, folders }) => {
    await test.step('a command asks for approval, runs after a click on Allow, and its result is reported', async () => {
      await askForFiles(app)
      await expect(approval(app).getByText('ls', { exact: true })).toBeVisible()
      // The command would run in the chat's folder. That is the default and not worth a line.
      await expect(approval(app)).not.toContainText(folders.workspace)
      await expect(card(app, 'Run ls Waiting for your answer')).toBeVisible()
      await expect(app).toHaveTitle(`● ${question} – Talaria`)

      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(approval(app)).toBeHidden()
      await expect(lastAnswer(app)).toContainText(/notes\.md\s+todo\.txt/)
      await expect(composer(app)).toBeFocused()
      const done = card(app, /^Run ls \d.* s$/)
      await done.click()
      const details = app.getByRole('region', { name: 'Conversation' })
      await expect(details).toContainText('exit code 0')
      await expect(details).toContainText('Why it ran: allowed by you')
      await expect(app).toHaveTitle(`${question} – Talaria`)
    })

    await test.step('a command is approved or denied by keyboard, and the chat continues', async () => {
      await newChat(app)
      await askForFiles(app)
      await app.keyboard.press('ControlOrMeta+j')
      await expect(approval(app)).toBeFocused()
      await app.keyboard.press('Enter')
      await expect(lastAnswer(app)).toContainText(/notes\.md\s+todo\.txt/)
      await expect(composer(app)).toBeFocused()

      await newChat(app)
      await askForFiles(app)
      await app.keyboard.press('ControlOrMeta+j')
      await app.keyboard.press('Escape')
      await expect(card(app, 'Run ls Denied')).toBeVisible()
      await expect(answers(app)).toHaveCount(1)
      await expect(lastAnswer(app)).not.toContainText('todo.txt')
      await send(app, 'thanks')
      await expect(answers(app)).toHaveCount(2)
    })

    await test.step('a command approved for this chat does not ask again; any other command does', async () => {
      await newChat(app)
      await askForFiles(app)
      await approval(app).getByRole('button', { name: 'Allow in this chat' }).click()
      await expect(answers(app)).toHaveCount(1)
      await send(app, question)
      await expect(answers(app)).toHaveCount(2)
      await expect(card(app, /^Run ls \d.* s$/)).toHaveCount(2)
      await send(app, 'run rm todo.txt')
      await expect(approval(app)).toContainText('rm todo.txt')
    })
  },
)
