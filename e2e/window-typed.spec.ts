import { approval, chatRow, composer, lastAnswer, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { callOf, expect, test } from './served.ts'

/** What the message field holds must be what a reload shows, without a wait for the host. */
test('the first words of a new chat and a correction outlive a reload at once', async ({ app, model }) => {
  await composer(app).fill('first words')
  await app.reload()
  await expect(composer(app)).toHaveValue('first words')
  await composer(app).fill('')

  model.reply({ text: 'Fine.' })
  await send(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('Fine.')
  await transcript(app).getByRole('button', { name: 'Edit message' }).first().click()
  await app.getByRole('textbox', { name: 'Your message' }).fill('a careful correction')
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Your message' })).toHaveValue('a careful correction')
})

test('reasons and answers on cards outlive another chat', async ({ app, model }) => {
  model.reply({ text: 'Fine.' })
  await send(app, 'Other')
  await expect(lastAnswer(app)).toContainText('Fine.')
  await newChat(app)
  model.reply(callOf('echo x > made.txt'))
  await send(app, 'Card chat')
  await approval(app)
    .getByRole('button', { name: /Deny and explain/ })
    .click()
  await approval(app).getByRole('textbox').fill('a reason')
  await chatRow(app, 'Other').click()
  await expect(approval(app)).toBeHidden()
  await chatRow(app, 'Card chat waits for your answer').click()
  await expect(approval(app).getByRole('textbox')).toHaveValue('a reason')
})

test('two windows of a chat keep a draft each', async ({ app, model, secondWindow }) => {
  model.reply({ text: 'Fine.' })
  await send(app, 'Tides')
  await expect(lastAnswer(app)).toContainText('Fine.')
  const two = await secondWindow()
  await composer(app).fill('text of window one')
  await composer(two).fill('text of window two')
  await app.reload()
  await expect(composer(app)).toHaveValue('text of window one')
  await two.reload()
  await expect(composer(two)).toHaveValue('text of window two')
})

test('undo goes on after a choice of the slash menu', async ({ app }) => {
  await composer(app).focus()
  await app.keyboard.type('/con')
  await expect(composer(app)).toHaveAttribute('aria-controls', /./)
  await app.keyboard.press('Tab')
  await expect(composer(app)).toHaveValue('/context')
  await app.keyboard.press('Control+z')
  await expect(composer(app)).toHaveValue('/con')
})
