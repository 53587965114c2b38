import { chatList, chatRow, lastAnswer, openPage, send } from './chat.ts'
import { findViolations } from './accessibility.ts'
import { expect, test } from './scripted-server.ts'

test(
  'a project gets instructions and a model, a chat is dragged into it, and a restart keeps all of it',
  { tag: '@story' },
  async ({ app, relaunch, model }) => {
    const group = chatList(app).getByRole('region', { name: 'Project Thesis' })
    const systemOf = (): string => model.chats().at(-1)!.body.messages[0].content

    await test.step('a chat begins without a project', async () => {
      model.reply({ text: 'Bees live in hives.' })
      await send(app, 'Where do bees live?')
      await expect(lastAnswer(app)).toContainText('Bees live in hives.')
      expect(systemOf()).not.toContain('Instructions of the user')
    })

    await test.step('the project is made on its page, light and dark, wide and narrow', async () => {
      await openPage(app, 'Projects')
      await app.getByRole('button', { name: 'New project' }).click()
      await app.getByRole('textbox', { name: 'Name' }).fill('Thesis')
      await app.getByRole('button', { name: 'Create project' }).click()
      await app.getByRole('textbox', { name: 'Instructions' }).fill('Cite a source for every claim.')
      await app.getByRole('button', { name: 'Save the instructions' }).click()
      await app.getByRole('combobox', { name: 'Model for new chats' }).selectOption({ label: 'Test server' })
      for (const scheme of ['light', 'dark'] as const) {
        await app.emulateMedia({ colorScheme: scheme })
        for (const width of [420, 1_280]) {
          await app.setViewportSize({ width, height: 820 })
          expect(await findViolations(app), `${scheme}, ${width} pixels wide`).toEqual([])
        }
      }
    })

    await test.step('the chat is dragged into it, and the context shows what the model is told', async () => {
      await chatRow(app, 'Where do bees live?').dragTo(group.getByRole('button', { name: /^Thesis/ }))
      await expect(group.getByRole('button', { name: 'Where do bees live?', exact: true })).toBeVisible()
      await chatRow(app, 'Where do bees live?').click()
      await app.getByRole('button', { name: 'Show what the model sees' }).click()
      const panel = app.getByRole('complementary', { name: 'Context' })
      await panel.getByRole('button', { name: /^Instructions of the project “Thesis”/ }).click()
      await expect(panel.getByText('Cite a source for every claim.')).toBeVisible()
    })

    await test.step('after a restart the chat is in its project, and the model reads the instructions', async () => {
      const window = await relaunch()
      const again = chatList(window).getByRole('region', { name: 'Project Thesis' })
      await again.getByRole('button', { name: 'Where do bees live?', exact: true }).click()
      model.reply({ text: 'In trees, too [1].' })
      await send(window, 'And wild ones?')
      await expect(lastAnswer(window)).toContainText('In trees, too')
      expect(systemOf()).toContain(
        '## Instructions of the user for this project\nCite a source for every claim.',
      )
      await again.getByRole('button', { name: 'More for the project “Thesis”' }).click()
      await window.getByRole('menuitem', { name: 'New chat in this project' }).click()
      // Until the host has created the chat, the window shows the chat before it.
      await expect(window.getByRole('heading', { name: 'New chat', level: 1 })).toBeVisible()
      await send(window, 'Hello')
      await expect(lastAnswer(window)).toBeVisible()
      expect(systemOf()).toContain('Cite a source for every claim.')
    })
  },
)
