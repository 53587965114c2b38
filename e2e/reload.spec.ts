import { answers, chatRow, composer, lastAnswer, send } from './chat.ts'
import { expect, test, words } from './served.ts'

const whole = (count: number) => Array.from({ length: count }, (_, index) => `word${index + 1}`).join(' ')

test('a reload in mid-answer loses nothing and shows everything once', async ({ app, model }) => {
  model.reply(words(150, 20))
  await send(app, 'Count')
  await expect(lastAnswer(app)).toContainText('word9 ')
  await app.reload()
  await expect(lastAnswer(app)).toContainText('word10')
  await app.reload()
  await expect(lastAnswer(app)).toHaveText(whole(150))
  await expect(answers(app)).toHaveCount(1)
  await expect(app.getByRole('article', { name: 'You' })).toHaveText(['Count'])
  expect(model.chats()).toHaveLength(1)
})

test('a second window on the same chat follows live', async ({ app, secondWindow, hosting, model }) => {
  test.skip(hosting === 'desktop', 'the desktop application has one window')
  model.reply(words(200, 20), { text: 'To both.' })
  await send(app, 'Count')
  await expect(lastAnswer(app)).toContainText('word2 ')
  const other = await secondWindow()
  await expect(lastAnswer(other)).toContainText('word3 ')
  await expect(other.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  for (const page of [app, other]) await expect(lastAnswer(page)).toHaveText(whole(200))

  await send(other, 'And this?')
  for (const page of [app, other]) {
    await expect(lastAnswer(page)).toContainText('To both.')
    await expect(answers(page)).toHaveCount(2)
  }
})

test('after a restart everything is found again, the unsent draft too', async ({ app, relaunch, model }) => {
  model.reply({ text: 'The **answer** is 42.' })
  await send(app, 'What is the answer?')
  await expect(lastAnswer(app)).toContainText('The answer is 42.')
  await composer(app).fill('And the question')
  // A draft is kept a moment after the last key.
  await app.waitForTimeout(600)

  const window = await relaunch()
  await chatRow(window, 'What is the answer? Draft').click()
  await expect(answers(window)).toHaveText(['The answer is 42.'])
  await expect(composer(window)).toHaveValue('And the question')
  await composer(window).press('Enter')
  await expect(answers(window)).toHaveCount(2)
  expect(model.chats().at(-1)?.body.messages.slice(1)).toEqual([
    { role: 'user', content: 'What is the answer?' },
    { role: 'assistant', content: 'The **answer** is 42.' },
    { role: 'user', content: 'And the question' },
  ])
})

test('a host killed in mid-answer keeps the text that was shown, and the chat goes on', async ({
  app,
  relaunch,
  model,
}) => {
  model.reply(words(2_000, 20))
  await send(app, 'Count')
  await expect(lastAnswer(app)).toContainText('word20 ')
  const shown = (await lastAnswer(app).innerText()).trim()

  const window = await relaunch('kill')
  await chatRow(window, 'Count').click()
  await expect(answers(window)).toHaveCount(1)
  await expect(lastAnswer(window)).toContainText(shown)
  await expect(window.getByText('You stopped this answer here.')).toBeVisible()

  model.reply({ text: 'Where were we?' })
  await send(window, 'Go on')
  await expect(lastAnswer(window)).toHaveText('Where were we?')
})

test('a window whose host ended says so and keeps what it shows', async ({
  app,
  endHost,
  hosting,
  model,
}) => {
  test.skip(hosting === 'desktop', 'the desktop window ends with its host')
  model.reply({ text: 'Hello.' })
  await send(app, 'Hi')
  await expect(lastAnswer(app)).toHaveText('Hello.')
  await endHost()
  await expect(app.getByRole('region', { name: 'Notices' })).toContainText(
    'The connection to Talaria was lost.',
  )
  await expect(lastAnswer(app)).toHaveText('Hello.')
  await composer(app).fill('Not lost')
  await composer(app).press('Enter')
  await expect(composer(app)).toHaveValue('Not lost')
})
