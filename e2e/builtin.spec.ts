import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, pastFirstRun, test } from './app.ts'
import { answers, approval, card, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { queryDatabase } from './query-database.ts'
import { openActivity, today } from './learning.ts'
import { chips, known, newChat, openMemory } from './memory.ts'
import { chips as skillChips, line, openSkills } from './skills.ts'

// All specs here run on the built-in model with real tokens, calls and files. They check tools, arguments and
// the resulting files, never the wording of answers.

const profile = (home: string): Promise<string> => readFile(join(home, 'memories', 'USER.md'), 'utf8')
const allow = (page: Page): Promise<void> =>
  approval(page).getByRole('button', { name: 'Allow once' }).click()
const deny = (page: Page): Promise<void> =>
  approval(page).getByRole('button', { name: 'Deny', exact: true }).click()
/** Wait until this many reviews are finished. */
const reviewed = (home: string, count: number): Promise<void> =>
  expect.poll(() => queryDatabase(home, 'select state from reviews')).toEqual(Array(count).fill('done'))
const isDone = async (page: Page): Promise<void> => {
  await expect(lastAnswer(page)).toBeVisible()
  await expect(stopButton(page)).toBeHidden()
}

test('the demo model remembers, corrects, forgets and summarises', async ({ app, folders }) => {
  await test.step('the demo model saves a fact to memory, knows it in a new chat, corrects it and forgets it', async () => {
    await send(app, 'Remember that my dog is called Rocky')
    await expect(chips(app)).toContainText(['Rocky'])
    await isDone(app)
    await openMemory(app)
    await expect(known(app)).toContainText(['Rocky'])
    expect(await profile(folders.home)).toContain('Rocky')

    await newChat(app)
    await send(app, 'What is my dog called?')
    await expect(lastAnswer(app)).toContainText('Rocky')
    await expect(card(app, /^(Remember|Search|Read|Run) /)).toHaveCount(0)

    await send(app, 'Correction: my dog is called Luna')
    await expect(chips(app)).toContainText(['Luna'])
    await isDone(app)
    expect(await profile(folders.home)).toContain('Luna')
    expect(await profile(folders.home)).not.toContain('Rocky')

    await newChat(app)
    await send(app, 'What is my dog called?')
    await expect(lastAnswer(app)).toContainText('Luna')
    await send(app, 'Forget my dog')
    await expect(chips(app)).toHaveCount(1)
    await isDone(app)
    expect(await profile(folders.home)).not.toContain('Luna')
  })

  await test.step('the demo model summarises a long chat, and the chat continues', async () => {
    await newChat(app)
    // The first exchange stays as it is; the messages after it are summarised.
    for (const text of ['hello', 'Remember that my dog is called Rocky', 'What can you do?', 'hello']) {
      await send(app, text)
      await isDone(app)
    }
    await send(app, '/compact')
    const divider = transcript(app).getByRole('button', {
      name: /^Earlier messages are summarised for the model/,
    })
    await expect(divider).toBeVisible()
    await isDone(app)
    const summary = transcript(app).getByRole('region', { name: 'Summary that the model reads' })
    // The transcript may still move under the pointer, so that a click hits nothing.
    await expect(async () => {
      if (!(await summary.isVisible())) await divider.click()
      await expect(summary).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await expect(summary).toContainText('Talaria built this summary by fixed rules, without a model.')
    await expect(summary).toContainText('Rocky')
    await send(app, 'What is my dog called?')
    await expect(lastAnswer(app)).toContainText('Rocky')
  })
})

test('the demo model writes files and skills once they are allowed, and improves a skill', async ({
  app,
  folders,
}) => {
  await test.step('a file is written only after the user approves it', async () => {
    const path = join(folders.workspace, 'shopping.txt')
    const question = 'Write “buy milk” to shopping.txt'
    await send(app, question)
    await expect(approval(app)).toContainText('shopping.txt')
    await deny(app)
    await isDone(app)
    await expect(card(app, 'Write shopping.txt Denied')).toBeVisible()
    await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT')
    await expect(answers(app)).toHaveCount(1)

    await newChat(app)
    await send(app, question)
    await allow(app)
    await isDone(app)
    expect((await readFile(path, 'utf8')).trim()).toBe('buy milk')
    await send(app, 'Read shopping.txt')
    await expect(lastAnswer(app)).toContainText('buy milk')
  })

  await test.step('a skill is created, used in another chat, and improved after a correction', async () => {
    await newChat(app)
    await send(app, 'Make a skill called pack-bag: check the weather, pack the laptop, feed the cat')
    await expect(approval(app)).toContainText('pack-bag')
    await allow(app)
    await isDone(app)
    const file = join(folders.home, 'skills', 'pack-bag', 'SKILL.md')
    expect(await readFile(file, 'utf8')).toMatch(/check the weather[^]*pack the laptop[^]*feed the cat/i)

    await newChat(app)
    await send(app, 'Follow the skill pack-bag')
    await expect(skillChips(app)).toContainText(['Used the skill pack-bag'])
    await isDone(app)
    await expect(lastAnswer(app)).toContainText(/pack the laptop/i)

    await send(app, 'Add a step to pack-bag: water the plants')
    await expect(skillChips(app).filter({ hasText: 'Skill changed: pack-bag' })).toHaveCount(1)
    await isDone(app)
    const improved = await readFile(file, 'utf8')
    for (const step of ['check the weather', 'pack the laptop', 'feed the cat', 'water the plants'])
      expect(improved).toContain(step)
    await openSkills(app)
    await expect(line(app, 'pack-bag')).toBeVisible()
  })
})

test.describe('reviews', () => {
  const learning = { mode: 'save', memory_nudge: 1, skill_nudge: 0, idle_seconds: 0 }
  test.use({
    homeFiles: { 'config.yaml': pastFirstRun({ learning }) },
    workspaceFiles: { 'notes.md': '# Notes\n' },
  })

  test(
    'saves a fact that the user mentioned, shows a card for it, and saves nothing from a chat without facts',
    { tag: '@story' },
    async ({ app, folders }) => {
      await send(app, 'Good morning')
      await isDone(app)
      await reviewed(folders.home, 1)
      await openActivity(app)
      await expect(today(app)).toHaveText([/by rules\. It found nothing worth saving/])
      await expect(profile(folders.home)).rejects.toThrow('ENOENT')

      await newChat(app)
      await send(app, 'by the way, I live in Oslo. list my files')
      await expect(card(app, /^List/)).toBeVisible()
      await isDone(app)
      await expect(chips(app)).toHaveCount(0)
      await reviewed(folders.home, 2)
      await openActivity(app)
      await expect(today(app).first()).toContainText('Oslo')
      expect(await profile(folders.home)).toBe('I live in Oslo.\n')
    },
  )
})

test(
  'each of the five questions of the tour on the start page is answered',
  { tag: '@story' },
  async ({ app }) => {
    const tour = app.getByRole('region', { name: 'Tour' })
    const goOn = (name: string): Promise<void> => tour.getByRole('button', { name }).click()
    await app.getByRole('button', { name: /^It remembers you/ }).click()
    await goOn('Next: ask for it in a new chat')
    await expect(tour).toContainText('This is a new chat, and it knew')
    await goOn('Next: let it write a file')
    await allow(app)
    await expect(tour).toContainText('Nothing was written until you allowed it.')
    await goOn('Next: teach it a skill')
    await allow(app)
    await expect(tour).toContainText('Any chat can use this skill from now on.')
    await goOn('Next: let it use the skill')
    await expect(tour).toContainText('It loaded your skill and followed it.')
    await expect(tour.getByRole('button', { name: 'Add a bigger model' })).toBeVisible()
  },
)
