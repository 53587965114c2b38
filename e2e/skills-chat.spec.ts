import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { approval, composer, lastAnswer, send, transcript } from './chat.ts'
import { context, newChat, promptOf } from './memory.ts'
import { expect, test } from './scripted-server.ts'
import {
  callOf,
  changes,
  chips,
  corner,
  isOn,
  openSkill,
  openSkills,
  show,
  skillText,
  tab,
} from './skills.ts'

const review = skillText(
  'weekly-news',
  '1. Read the commits of the week.\n2. Write five lines about them.',
  'Writes the news of the week. Use when the user asks for the weekly news.',
)

test.describe('with an imported skill', () => {
  test.use({
    filesOfHome: {
      'imported-skills/weekly-news/SKILL.md': review,
      'imported-skills/weekly-news/scripts/x.sh': 'echo\n',
    },
  })

  test('skills are used, corrected, sent along and written in a chat', async ({ app, folders, model }) => {
    await test.step('a slash and a name send the skill with the message', async () => {
      model.reply({ text: 'A tidy table.' })
      await composer(app).focus()
      await app.keyboard.type('/clea')
      const menu = app.getByRole('listbox', { name: 'Skills and commands' })
      await expect(menu.getByRole('option', { name: /^\/clean-csv/ })).toBeVisible()
      await app.keyboard.press('Enter')
      await expect(composer(app)).toHaveValue('/clean-csv ')
      await app.keyboard.type('sales.csv, please')
      await app.keyboard.press('Enter')
      await expect(lastAnswer(app)).toHaveText('A tidy table.')
      await expect(transcript(app)).toContainText('sales.csv, please')
      const said = String(model.chats()[0]?.body.messages.at(-1).content)
      expect(said).toMatch(
        /^\[Skill: clean-csv\]\n# Clean a CSV[^]*\[End of the skill\]\n\nsales\.csv, please$/,
      )
      await transcript(app)
        .getByRole('button', { name: /Sent with the skill clean-csv/ })
        .click()
      await tab(app, 'Usage').click()
      await expect(app.getByRole('list', { name: 'Turns that loaded it' })).toContainText('added by you')
    })

    await test.step('an installed skill is switched on, used in a chat, corrected by a message, and the correction is undone', async () => {
      await openSkills(app)
      await show(app, 'Imported')
      await expect(isOn(app, 'weekly-news')).not.toBeChecked()
      await isOn(app, 'weekly-news').click()
      await expect(isOn(app, 'weekly-news')).toBeChecked()

      model.reply(callOf('skill_view', { name: 'weekly-news' }), { text: 'Five lines of news.' })
      await newChat(app)
      await send(app, 'Give me the weekly news')
      await expect(lastAnswer(app)).toContainText('Five lines of news.')
      expect(promptOf(model.chats().at(-2))).toContain('- weekly-news: Writes the news of the week.')
      expect(JSON.stringify(model.chats().at(-1)?.body)).toContain('Write five lines about them.')
      await expect(chips(app)).toHaveText(['Used the skill weekly-news'])

      const patch = {
        action: 'patch',
        name: 'weekly-news',
        old_string: 'Read the commits of the week.',
        new_string: 'Read the commits and the discussions of the week.',
      }
      model.reply(callOf('skill_manage', patch), { text: 'From now on with the discussions.' })
      await send(app, 'No, you forgot something. Include the discussions too.')
      await expect(lastAnswer(app)).toContainText('From now on with the discussions.')
      const change = chips(app).filter({ hasText: 'Skill changed: weekly-news' })
      await change.getByRole('button', { name: /^What changed in weekly-news/ }).click()
      await expect(change.locator('ins')).toHaveText(/and the discussions/)
      const edited = join(folders.home, 'skills', 'weekly-news', 'SKILL.md')
      expect(await readFile(edited, 'utf8')).toBe(
        review.replace('commits of', 'commits and the discussions of'),
      )
      expect(await readFile(join(folders.home, 'imported-skills', 'weekly-news', 'SKILL.md'), 'utf8')).toBe(
        review,
      )

      await change.getByRole('button', { name: 'Undo: Skill changed: weekly-news' }).click()
      await expect(chips(app).filter({ hasText: 'Undone' })).toHaveCount(1)
      await chips(app).first().getByRole('button', { name: 'Used the skill weekly-news' }).click()
      await tab(app, 'History').click()
      await expect(changes(app).nth(0)).toContainText('undoes an earlier change')
      await expect(changes(app).nth(1)).toContainText('Changed by the agent')
      await expect(changes(app).nth(1)).toContainText('undone')
      await expect(changes(app).nth(1).locator('ins')).toHaveText(/and the discussions/)

      await tab(app, 'Usage').click()
      const turns = app.getByRole('list', { name: 'Turns that loaded it' }).getByRole('listitem')
      await expect(turns).toHaveCount(1)
      await expect(turns).toContainText('you corrected it')
      await turns.getByRole('button', { name: 'Open “Give me the weekly news” at this message' }).click()
      await expect(transcript(app).getByText('Give me the weekly news')).toBeInViewport()
    })

    await test.step('the agent asks for approval before it writes a skill, and a new chat knows the approved skill', async () => {
      await newChat(app)
      const steps = '1. Open the window.\n2. Count to ten.'
      const create = callOf('skill_manage', {
        action: 'create',
        name: 'air-the-room',
        description: 'Airs the room. Use when the user says that the air is bad.',
        content: steps,
      })
      model.reply(
        create,
        { text: 'As you wish.' },
        create,
        { text: 'I will remember how.' },
        { text: 'Yes?' },
      )
      await send(app, 'Make a skill of this')
      await expect(approval(app)).toContainText('Write the new skill “air-the-room”')
      await expect(approval(app).getByRole('figure')).toContainText('What it says')
      await expect(approval(app).locator('pre')).toHaveText(
        /^---\nname: air-the-room\ndescription: [^]*2\. Count to ten\.\s*$/,
      )
      await approval(app).getByRole('button', { name: 'Deny', exact: true }).click()
      await expect(lastAnswer(app)).toContainText('As you wish.')
      await expect(chips(app)).toHaveCount(0)
      const file = join(folders.home, 'skills', 'air-the-room', 'SKILL.md')
      await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT')

      await send(app, 'I have thought about it: do')
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toContainText('I will remember how.')
      await expect(chips(app)).toContainText(['Skill created: air-the-room'])
      expect(await readFile(file, 'utf8')).toContain(steps)

      await newChat(app)
      await send(app, 'The air is bad')
      await expect(lastAnswer(app)).toHaveText('Yes?')
      expect(promptOf(model.chats().at(-1))).toContain('- air-the-room: Airs the room.')
      await app.getByRole('button', { name: 'Show what the model sees' }).click()
      await context(app)
        .getByRole('list', { name: 'Parts' })
        .getByRole('button', { name: /^Skills/ })
        .click()
      await expect(context(app).locator('pre', { hasText: 'air-the-room' })).toBeVisible()
    })
  })
})

test.describe('skills of a project', () => {
  test.use({
    workspaceFiles: {
      '.agents/skills/deploy-here/SKILL.md': skillText('deploy-here', '1. Run the script of this project.'),
    },
  })

  test(
    'are used only in the project’s folder, and only once it is trusted',
    { tag: '@story' },
    async ({ app, folders, model }) => {
      // Tall enough for all rows, because a list ignores clicks for a moment after scrolling.
      await app.setViewportSize({ width: 1_280, height: 1_600 })
      model.reply({ text: 'Well.' })
      const promptOfNew = async (text: string) => {
        await send(app, text)
        await expect(lastAnswer(app)).toHaveText('Well.')
        return promptOf(model.chats().at(-1))
      }
      expect(await promptOfNew('First')).not.toContain('deploy-here')

      await openSkills(app)
      await app.getByRole('button', { name: `Trust this folder… ${folders.workspace}` }).click()
      await app.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
      await expect(corner(app)).toContainText('The folder is trusted.')
      await expect(isOn(app, 'deploy-here')).toBeChecked()
      await openSkill(app, 'deploy-here')
      await newChat(app)
      expect(await promptOfNew('Second')).toContain('- deploy-here:')

      await newChat(app)
      await app.getByRole('button', { name: /^Working folder: / }).click()
      const elsewhere = join(dirname(folders.workspace), 'elsewhere')
      mkdirSync(elsewhere)
      await app.getByRole('textbox', { name: 'Working folder of this chat' }).fill(elsewhere)
      await app.getByRole('button', { name: 'Use this folder' }).click()
      await expect(app.getByRole('button', { name: `Working folder: ${elsewhere}` })).toBeVisible()
      expect(await promptOfNew('Third')).not.toContain('deploy-here')

      await openSkills(app)
      await app.getByRole('button', { name: `Stop trusting ${folders.workspace}` }).click()
      await expect(corner(app)).toContainText('The folder is no longer trusted.')
      await expect(isOn(app, 'deploy-here')).toHaveCount(0)
      await newChat(app)
      expect(await promptOfNew('Fourth')).not.toContain('deploy-here')
    },
  )
})
