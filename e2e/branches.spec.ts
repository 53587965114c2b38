import { newChat } from './memory.ts'
import { answers, composer, dialog, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { findViolations } from './accessibility.ts'
import { expect, test, words } from './scripted-server.ts'

test(
  'messages are edited and answered again, and every version stays',
  { tag: '@story' },
  async ({ app, model }) => {
    const questions = transcript(app).getByRole('article', { name: 'You' })
    const act = (name: string, within = questions.last()) => within.getByRole('button', { name, exact: true })

    await test.step('an edited question has a new answer, and the arrows go back to the first', async () => {
      model.reply({ text: 'Herons are grey.' }, { text: 'Storks are white.' })
      await send(app, 'What colour are herons?')
      await expect(lastAnswer(app)).toContainText('Herons are grey.')
      await expect(stopButton(app)).toBeHidden()
      await act('Edit message').click()
      const field = app.getByRole('textbox', { name: 'Your message' })
      await expect(field).toBeFocused()
      await field.fill('What colour are storks?')
      await field.press('Control+Enter')
      await expect(lastAnswer(app)).toContainText('Storks are white.')
      await expect(questions).toHaveCount(1)
      await expect(questions.last()).toContainText('2 / 2')
      await act('Previous version').click()
      await expect(questions.last()).toContainText('herons')
      await expect(lastAnswer(app)).toContainText('Herons are grey.')
    })

    await test.step('Esc leaves a message as it is', async () => {
      await act('Edit message').click()
      await app.keyboard.press('Escape')
      await expect(app.getByRole('textbox', { name: 'Your message' })).toBeHidden()
      await expect(questions.last()).toContainText('herons')
    })

    await test.step('an answer is edited without asking the model', async () => {
      const asked = model.chats().length
      await act('Edit answer', lastAnswer(app)).click()
      await app.getByRole('textbox', { name: 'The answer' }).fill('Herons are blue.')
      await app.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(lastAnswer(app)).toContainText('Herons are blue.')
      await expect(lastAnswer(app)).toContainText('Edited by you')
      await expect(lastAnswer(app)).toContainText('2 / 2')
      expect(model.chats()).toHaveLength(asked)
    })

    await test.step('the tree shows every branch, also after a reload', async () => {
      await app.reload()
      await expect(lastAnswer(app)).toContainText('Herons are blue.')
      await app.getByRole('button', { name: 'Branches of this chat' }).click()
      await expect(dialog(app).getByRole('listitem')).toHaveCount(4)
      for (const scheme of ['light', 'dark'] as const) {
        await app.emulateMedia({ colorScheme: scheme })
        for (const width of [420, 1_280]) {
          await app.setViewportSize({ width, height: 820 })
          expect(await findViolations(app), `${scheme}, ${width} pixels wide`).toEqual([])
        }
      }
      await dialog(app)
        .getByRole('button', { name: /storks/ })
        .click()
      await expect(lastAnswer(app)).toContainText('Storks are white.')
    })

    await test.step('an answer is tried again from its menu', async () => {
      model.reply({ text: 'White and black.' })
      await act('Answer again', lastAnswer(app)).click()
      await app.getByRole('menuitem', { name: 'With the same model' }).click()
      await expect(lastAnswer(app)).toContainText('White and black.')
      await expect(answers(app)).toHaveCount(1)
      await expect(lastAnswer(app)).toContainText('2 / 2')
    })

    await test.step('“/undo” puts the question back into the field, and the branches lead back', async () => {
      await send(app, '/undo')
      await expect(composer(app)).toHaveValue('What colour are storks?')
      await app.getByRole('button', { name: 'Branches of this chat' }).click()
      await dialog(app)
        .getByRole('button', { name: /White and black/ })
        .click()
      await expect(lastAnswer(app)).toContainText('White and black.')
      await composer(app).fill('')
    })

    await test.step('a copy of the chat opens, and the chat itself stays', async () => {
      const address = app.url()
      await act('Copy the chat up to here into a new chat', lastAnswer(app)).click()
      await expect.poll(() => app.url()).not.toBe(address)
      await expect(lastAnswer(app)).toContainText('White and black.')
      await expect(app.getByRole('button', { name: 'Branches of this chat' })).toBeHidden()
    })
  },
)

test(
  'an edit during an answer asks before it stops it, and a cut answer goes on',
  { tag: '@story' },
  async ({ app, model }) => {
    await newChat(app)
    model.reply(words(400, 5), { text: 'Short.' })
    await send(app, 'Tell me a long story')
    await expect(lastAnswer(app)).toContainText('word5 ')
    const question = transcript(app).getByRole('article', { name: 'You' }).last()
    await question.getByRole('button', { name: 'Edit message' }).click()
    const field = app.getByRole('textbox', { name: 'Your message' })
    await field.fill('Tell me a short one')
    await app.getByRole('button', { name: 'Send', exact: true }).first().click()
    await dialog(app).getByRole('button', { name: 'Cancel' }).last().click()
    await expect(field).toHaveValue('Tell me a short one')
    await expect(stopButton(app)).toBeVisible()
    await field.press('Control+Enter')
    await dialog(app).getByRole('button', { name: 'Stop and continue' }).click()
    await expect(lastAnswer(app)).toContainText('Short.')
    await expect(transcript(app)).not.toContainText('word1')

    model.reply(words(400, 3), { text: 'and so it ended.' })
    await send(app, 'Another')
    await expect(lastAnswer(app)).toContainText('word3 ')
    await stopButton(app).click()
    await lastAnswer(app).getByRole('button', { name: 'Continue' }).click()
    await expect(lastAnswer(app)).toContainText(/word1 word2 word3 .*and so it ended\./)
    await expect(lastAnswer(app)).toContainText('2 / 2')
    await expect(transcript(app).getByRole('article', { name: 'You' })).toHaveCount(2)
  },
)

test('a second window is told of an edit', { tag: '@story' }, async ({ app, model, secondWindow }) => {
  model.reply({ text: 'One.' }, { text: 'Two.' })
  await send(app, 'First text')
  await expect(lastAnswer(app)).toContainText('One.')
  const other = await secondWindow()
  await expect(lastAnswer(other)).toContainText('One.')
  await app.getByRole('button', { name: 'Edit message' }).click()
  await app.getByRole('textbox', { name: 'Your message' }).fill('Second text')
  await app.keyboard.press('Control+Enter')
  await expect(lastAnswer(app)).toContainText('Two.')
  await expect(lastAnswer(other)).toContainText('Two.')
  await expect(transcript(other)).not.toContainText('First text')
  await expect(transcript(other).getByRole('article', { name: 'You' })).toContainText('2 / 2')
})
