import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dialog, lastAnswer, send } from './chat.ts'
import { newChat, promptOf } from './memory.ts'
import { findViolations } from './accessibility.ts'
import { expect, test } from './scripted-server.ts'
import { corner, isOn, line, openSkill, openSkills, skill, skillText } from './skills.ts'

const needy = `---
name: find-gif
description: Finds a picture that moves. Use when the user wants one.
metadata:
  hermes:
    related_skills: [tell-joke]
required_environment_variables:
  - name: TENOR_API_KEY
    help: Tenor gives one away for free.
---

# Find a picture

1. Ask the service.
`
const KEY = 'a-key-of-nobody-4711'

test.use({
  filesOfHome: {
    'skills/find-gif/SKILL.md': needy,
    'skills/acrostic/SKILL.md': skillText('acrostic', '1. Count the syllables.'),
    'skills/ballad/SKILL.md': skillText('ballad', '1. Count them again.'),
  },
})

test(
  'skills wait for their keys and are switched in bundles',
  { tag: '@story' },
  async ({ app, folders, model }) => {
    await test.step('a skill that needs a key is not offered until the key is entered, which is kept with the others and never shown', async () => {
      model.reply({ text: 'Hello.' }, { text: 'Hello again.' })
      await send(app, 'Hello')
      await expect(lastAnswer(app)).toHaveText('Hello.')
      expect(promptOf(model.chats().at(-1))).not.toContain('find-gif')

      await openSkills(app)
      await expect(line(app, 'find-gif')).toContainText('Needs TENOR_API_KEY')
      await openSkill(app, 'find-gif')
      await expect(skill(app, 'find-gif')).toContainText('It needs the key TENOR_API_KEY.')
      const needs = skill(app, 'find-gif').getByRole('list', { name: 'What it needs' })
      await expect(needs).toContainText('Tenor gives one away for free.')
      await needs.getByRole('button', { name: 'Enter the key… TENOR_API_KEY' }).click()
      expect(await findViolations(app, 'dialog'), 'the dialog').toEqual([])
      await dialog(app).getByLabel('TENOR_API_KEY').fill(KEY)
      await dialog(app).getByRole('button', { name: 'Save' }).click()
      await expect(needs).toContainText('Key stored')
      await expect(line(app, 'find-gif')).not.toContainText('Needs')
      expect(await findViolations(app), 'the page').toEqual([])
      expect(await readFile(join(folders.home, '.env'), 'utf8')).toContain(KEY)
      await expect(app.locator('body')).not.toContainText(KEY)

      await newChat(app)
      await send(app, 'Hello')
      await expect(lastAnswer(app)).toHaveText('Hello again.')
      expect(promptOf(model.chats().at(-1))).toContain('- find-gif: Finds a picture that moves.')

      await openSkills(app)
      await openSkill(app, 'find-gif')
      await needs.getByRole('button', { name: 'Remove TENOR_API_KEY' }).click()
      await expect(line(app, 'find-gif')).toContainText('Needs TENOR_API_KEY')
      expect(await readFile(join(folders.home, '.env'), 'utf8')).not.toContain(KEY)
    })

    await test.step('a bundle of chosen skills switches them together, with undo, and goes without them', async () => {
      for (const name of ['acrostic', 'ballad'])
        await app.getByRole('checkbox', { name: `Select ${name}` }).check()
      await app.getByRole('toolbar').getByRole('button', { name: 'Bundle…' }).click()
      await dialog(app).getByLabel('Name').fill('Poems')
      expect(await findViolations(app, 'dialog'), 'the dialog').toEqual([])
      await dialog(app).getByRole('button', { name: 'Create the bundle' }).click()
      const poems = app.getByRole('switch', { name: 'The bundle Poems: on' })
      await expect(poems).toBeChecked()

      await poems.click()
      await expect(corner(app)).toContainText('The bundle Poems is off.')
      await expect(poems).not.toBeChecked()
      for (const name of ['acrostic', 'ballad']) await expect(isOn(app, name)).not.toBeChecked()
      await isOn(app, 'acrostic').click()
      const bundles = app.getByRole('list', { name: 'Bundles' })
      await expect(bundles).toContainText('1 of 2 on')
      expect(await findViolations(app), 'the page').toEqual([])
      await poems.click()
      for (const name of ['acrostic', 'ballad']) await expect(isOn(app, name)).toBeChecked()
      await corner(app).getByRole('button', { name: 'Undo' }).last().click()
      await expect(isOn(app, 'ballad')).not.toBeChecked()

      await app.getByRole('button', { name: 'More for the bundle Poems' }).click()
      await app.getByRole('menuitem', { name: 'Remove the bundle' }).click()
      await expect(bundles).toHaveCount(0)
      await expect(isOn(app, 'acrostic')).toBeChecked()
    })
  },
)
