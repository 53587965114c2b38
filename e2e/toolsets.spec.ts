import { card, lastAnswer, send } from './chat.ts'
import { context, newChat } from './memory.ts'
import { callOf, expect, test } from './scripted-server.ts'
import { openSettings, settings } from './settings.ts'
import { pastFirstRun } from './app.ts'

const toolsOf = (body: { tools?: { function: { name: string } }[] } | undefined) =>
  (body?.tools ?? []).map(each => each.function.name)

test(
  'toolsets are switched off for a chat or for all, and a style of answering is chosen',
  { tag: '@story' },
  async ({ app, model }) => {
    await test.step('a toolset that is switched off beside the message field is refused at once', async () => {
      model.reply({ text: 'Hello.' })
      await send(app, 'Hi')
      await expect(lastAnswer(app)).toHaveText('Hello.')
      await app.getByRole('button', { name: 'Tools: all on' }).click()
      const menu = app.getByRole('dialog', { name: 'Tools of this chat' })
      await menu.getByRole('switch', { name: 'Terminal' }).click()
      await expect(menu.getByRole('listitem').filter({ hasText: 'Terminal' })).toContainText(
        'Off for this chat.',
      )
      await app.keyboard.press('Escape')
      await expect(app.getByRole('button', { name: 'Tools: Terminal off' })).toBeVisible()

      model.reply(callOf('echo hello'), { text: 'It is off.' })
      await send(app, 'Say hello in a shell')
      await expect(lastAnswer(app)).toHaveText('It is off.')
      await expect(card(app, /echo hello|terminal/i).first()).toBeVisible()
      expect(JSON.stringify(model.chats().at(-1)?.body.messages.at(-1))).toContain('terminal is switched off')
      expect(toolsOf(model.chats().at(-1)?.body)).toContain('terminal')

      await app.getByRole('button', { name: 'Tools: Terminal off' }).click()
      await menu.getByRole('button', { name: 'Apply here now' }).click()
      await expect(menu.getByRole('button', { name: 'Apply here now' })).toBeHidden()
      await app.keyboard.press('Escape')
      model.reply({ text: 'Fine.' })
      await send(app, 'And now?')
      await expect(lastAnswer(app)).toHaveText('Fine.')
      expect(toolsOf(model.chats().at(-1)?.body)).not.toContain('terminal')

      // Another chat still has it.
      await newChat(app)
      await expect(app.getByRole('button', { name: 'Tools: all on' })).toBeVisible()
    })

    await test.step('a toolset that is switched off in Settings is off in new chats, and a chat can have it', async () => {
      await newChat(app)
      await openSettings(app, 'Tools')
      const rows = settings(app).getByRole('list', { name: 'Toolsets' })
      await rows.getByRole('switch', { name: 'Memory' }).click()
      await expect(rows.getByRole('listitem').filter({ hasText: 'Memory' })).toContainText(
        'Off for every chat.',
      )

      await newChat(app)
      await app.getByRole('button', { name: 'Tools: Memory off' }).click()
      const menu = app.getByRole('dialog', { name: 'Tools of this chat' })
      await menu.getByRole('switch', { name: 'Memory' }).click()
      await expect(menu.getByRole('listitem').filter({ hasText: 'Memory' })).toContainText(
        'On for this chat.',
      )
      await app.keyboard.press('Escape')
      model.reply({ text: 'Hello.' })
      await send(app, 'Hi')
      await expect(lastAnswer(app)).toHaveText('Hello.')
      expect(toolsOf(model.chats().at(-1)?.body)).toContain('memory')

      await newChat(app)
      await send(app, 'Hi again')
      await expect(lastAnswer(app)).toHaveText('Hello.')
      expect(toolsOf(model.chats().at(-1)?.body)).not.toContain('memory')
    })

    await test.step('a style of answering is chosen beside the message field, and stays after a reload', async () => {
      await newChat(app)
      model.requests.length = 0
      await app.getByRole('button', { name: 'Answering style: none' }).click()
      const panel = app.getByRole('dialog', { name: 'Answering style' })
      await panel.getByRole('radio', { name: 'brief' }).click()
      await app.keyboard.press('Escape')
      await expect(app.getByRole('button', { name: 'Answering style: brief' })).toBeVisible()
      model.reply({ text: 'Hello.' })
      await send(app, 'Hi')
      await expect(lastAnswer(app)).toHaveText('Hello.')
      await app.reload()
      await expect(app.getByRole('button', { name: 'Answering style: brief' })).toBeVisible()
      await send(app, '/personality off')
      await expect(app.getByRole('button', { name: 'Answering style: none' })).toBeVisible()
      await send(app, 'And now?')
      await expect.poll(() => model.chats().length).toBe(2)
      const systems = model.chats().map(({ body }) => String(body.messages[0].content))
      expect(systems.map(text => text.includes('as few words'))).toEqual([true, false])
    })
  },
)

test.describe('with a small window', () => {
  test.use({
    homeFiles: async ({ model }, use) => {
      const server = { id: 'test', name: 'Test server', base_url: model.baseUrl, model: 'qwen3-8b' }
      const models = { default: 'server:test', servers: [{ ...server, context_tokens: 4_096 }] }
      await use({ 'config.yaml': pastFirstRun({ models }) })
    },
  })

  test('the context names the toolsets that do not fit', { tag: '@story' }, async ({ app, model }) => {
    model.reply({ text: 'Hello.' })
    await send(app, '/context')
    await send(app, 'Hi')
    await expect(lastAnswer(app)).toHaveText('Hello.')
    await expect(context(app)).toContainText(
      'Left out: the toolsets memory, skills, plan, because tools may take at most 614 tokens',
    )
    expect(toolsOf(model.chats().at(-1)?.body)).not.toContain('memory')
  })
})
