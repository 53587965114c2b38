import { answers, chatRow, lastAnswer, send } from './chat.ts'
import { chips, known, newChat, openMemory, promptOf, remember } from './memory.ts'
import { expect, test } from './served.ts'

const fact = 'User says: My dog is called Rex.'

test('an answer that claims to have saved something gets a card, and “Save it now” saves it', async ({
  app,
  model,
  relaunch,
}) => {
  model.reply({ text: "I've saved that to memory." }, { text: 'Rex.' })
  await send(app, 'Remember that my dog is called Rex')
  const claim = app.getByRole('region', {
    name: 'The answer claims it saved something, but nothing was saved.',
  })
  await expect(claim.getByRole('blockquote')).toHaveText("“I've saved that to memory.”")
  await expect(claim.getByRole('textbox', { name: 'What to save' })).toHaveValue(fact)
  await openMemory(app)
  await expect(app.getByText('Nothing is known about you yet.')).toBeVisible()
  await app.reload()
  await app.goBack()

  await claim.getByRole('button', { name: 'Save it now' }).click()
  await expect(chips(app)).toContainText([`Saved: ${fact}`])
  await expect(claim).toBeHidden()
  await openMemory(app)
  await expect(known(app)).toContainText([fact])
  await expect(known(app)).toContainText('from “Remember that my dog is called Rex”')

  const window = await relaunch('kill')
  await chatRow(window, 'Remember that my dog is called Rex').click()
  await expect(chips(window)).toContainText([`Saved: ${fact}`])
  await window.reload()
  await expect(chips(window)).toContainText([`Saved: ${fact}`])
  await expect(window.getByRole('button', { name: 'Save it now' })).toHaveCount(0)

  await newChat(window)
  await send(window, 'What is my dog called?')
  await expect(lastAnswer(window)).toHaveText('Rex.')
  expect(promptOf(model.chats().at(-1))).toContain(`- ${fact}`)
})

test('the text of a claimed save can be edited first, or dismissed', async ({ app, model }) => {
  model.reply({ text: 'Noted, I will remember that.' }, { text: 'I have stored this in my memory.' })
  await send(app, 'Remember that I am a baker')
  const save = app.getByRole('button', { name: 'Save it now' })
  const field = app.getByRole('textbox', { name: 'What to save' })
  await field.fill('The pin is 4711.')
  await save.click()
  await expect(field).toHaveAccessibleDescription(
    '“The pin is 4711.” was not saved: it looks like a password or a key.',
  )
  await field.fill('Is a baker.')
  await save.click()
  await expect(chips(app)).toContainText(['Saved: Is a baker.'])
  await expect(save).toBeHidden()

  await send(app, 'Remember that I get up at four')
  await expect(save).toBeVisible()
  await app.getByRole('button', { name: 'Dismiss' }).click()
  await expect(save).toBeHidden()
  await app.reload()
  await expect(lastAnswer(app)).toContainText('I have stored this')
  await expect(save).toBeHidden()
  await openMemory(app)
  await expect(known(app)).toHaveCount(1)
})

test('an answer after a real save, or about a file, gets no card', async ({ app, model }) => {
  model.reply(
    remember('Is a baker.'),
    { text: "I've saved that to memory." },
    { text: 'I have saved the recipe to bread.md.' },
  )
  await send(app, 'Remember that I am a baker')
  await expect(chips(app)).toHaveCount(1)
  await send(app, 'Did you write the recipe down?')
  await expect(answers(app)).toHaveCount(2)
  await expect(lastAnswer(app)).toContainText('bread.md')
  await expect(app.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
  await expect(app.getByRole('button', { name: 'Save it now' })).toHaveCount(0)
})
