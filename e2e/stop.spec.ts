import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { pastFirstRun, test as local } from './app.ts'
import { newChat } from './memory.ts'
import { answers, approval, card, composer, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { callOf, expect, test, words } from './scripted-server.ts'

test(
  'what a chat does is stopped and the chat goes on',
  { tag: '@story' },
  async ({ app, model, folders }) => {
    for (const [how, stop] of [
      ['Esc', () => app.keyboard.press('Escape')],
      ['the button', () => stopButton(app).click()],
    ] as const)
      await test.step(`an answer stopped by ${how} keeps what was written, and the next message works`, async () => {
        await newChat(app)
        model.requests.length = 0
        model.reply(words(400, 5), { text: 'Of course.' })
        await send(app, 'Tell me a long story')
        await expect(lastAnswer(app)).toContainText('word5 ')
        await stop()
        await expect(app.getByText('This answer was cut short here.')).toBeVisible()
        await expect(lastAnswer(app)).toContainText('word1 word2 word3')
        await expect(stopButton(app)).toBeHidden()
        expect(await model.chats()[0]?.cut).toBe(true)

        await send(app, 'Something shorter?')
        await expect(lastAnswer(app)).toContainText('Of course.')
        await expect(answers(app)).toHaveCount(2)
      })

    await test.step('a message queued during an answer waits, and is not sent automatically after a stop', async () => {
      await newChat(app)
      model.reply(words(400, 2), { text: 'Second answer.' })
      await send(app, 'One')
      await expect(lastAnswer(app)).toContainText('word2')
      await send(app, 'Two')
      const queue = app.getByRole('region', { name: 'Queued messages' })
      await expect(queue).toContainText('Two')
      await stopButton(app).click()
      await expect(queue).toContainText('the last answer did not finish')
      await queue.getByRole('button', { name: 'Send now' }).click()
      await expect(lastAnswer(app)).toContainText('Second answer.')
      await expect(queue).toBeHidden()
    })

    await test.step('Stop withdraws an open approval request', async () => {
      await newChat(app)
      model.reply(callOf('touch proof'), { text: 'Fine.' })
      await send(app, 'Touch it')
      await expect(approval(app)).toBeVisible()
      await stopButton(app).click()
      await expect(approval(app)).toBeHidden()
      await expect(card(app, 'Run touch proof Stopped')).toBeVisible()
      await expect(composer(app)).toBeEnabled()
    })

    await test.step('a command is killed by a stop', async () => {
      await newChat(app)
      await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
      await app.getByRole('menuitemradio', { name: /^Full access/ }).click()
      const marker = `beat of ${randomUUID()}`
      model.reply(callOf(`for i in $(seq 6000); do echo "${marker}" >> beats; sleep 0.02; done`))
      await send(app, 'Beat')
      await expect(card(app, /Running/)).toBeVisible()
      const beats = () => statSync(join(folders.workspace, 'beats'), { throwIfNoEntry: false })?.size ?? 0
      await expect.poll(beats).toBeGreaterThan(10)
      expect(isRunning(marker)).toBe(true)
      await app.keyboard.press('Escape')
      await expect(card(app, /Stopped/)).toBeVisible()
      await expect.poll(() => isRunning(marker)).toBe(false)

      model.reply({ text: 'Still here.' })
      await send(app, 'Are you there?')
      await expect(lastAnswer(app)).toContainText('Still here.')
    })
  },
)

/** Whether a process with this text in its command line runs. Ids are different inside a confined command. */
const isRunning = (text: string): boolean => spawnSync('pgrep', ['-f', text]).status === 0

local.describe('a model on this computer', () => {
  const path = scriptedModel({ reply: Array.from({ length: 4_000 }, (_, index) => `w${index}`).join(' ') })
  local.use({
    homeFiles: { 'config.yaml': pastFirstRun({ models: { default: `file:${path}`, files: [path] } }) },
  })

  local('is stopped in mid-answer and answers again', async ({ app }) => {
    // By default a small model may write so little that a slow click comes too late. The chat lets it write
    // more.
    await send(app, 'Hello')
    await expect(app.getByRole('button', { name: 'Continue' })).toBeVisible()
    await app.getByRole('button', { name: 'Show what the model sees' }).click()
    const panel = app.getByRole('complementary', { name: 'Context' })
    await panel.getByText('Settings for this chat').click()
    await panel.getByRole('textbox', { name: 'Max tokens' }).fill('100000')
    await app.keyboard.press('Tab')
    await panel.getByRole('button', { name: 'Close' }).click()
    for (const [before, question] of ['Count', 'Once more'].entries()) {
      await send(app, question)
      await expect(transcript(app).getByText(question)).toBeVisible()
      await expect(answers(app)).toHaveCount(before + 2)
      await expect(lastAnswer(app)).toContainText('w9 ')
      await app.keyboard.press('Escape')
      await expect(lastAnswer(app)).toContainText('This answer was cut short here.')
    }
  })
})
