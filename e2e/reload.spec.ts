import type { Page } from '@playwright/test'
import { answers, approval, card, composer, lastAnswer, send, stopButton } from './chat.ts'
import { newChat } from './memory.ts'
import { callOf, expect, test, words } from './scripted-server.ts'

const whole = (count: number) => Array.from({ length: count }, (_, index) => `word${index + 1}`).join(' ')

test('a window that is reloaded loses nothing, and one whose host ended says so', async ({
  app,
  model,
  endHost,
  hosting,
}) => {
  test.skip(hosting === 'desktop', 'the desktop window ends with its host')
  await test.step('a reload during an answer loses nothing and repeats nothing', async () => {
    const counting = words(150, 9, 20)
    model.reply(counting)
    await send(app, 'Count')
    await expect(lastAnswer(app)).toContainText('word9 ')
    await app.reload()
    await expect(lastAnswer(app)).toContainText('word9 ')
    counting.goOn()
    await expect(lastAnswer(app)).toContainText('word20 ')
    await app.reload()
    counting.goOn()
    await expect(lastAnswer(app)).toHaveText(whole(150))
    await expect(answers(app)).toHaveCount(1)
    await expect(app.getByRole('article', { name: 'You' })).toHaveText(['Count'])
    expect(model.chats()).toHaveLength(1)
  })

  await test.step('a window whose host ended says so and keeps what it shows', async () => {
    await newChat(app)
    model.reply({ text: 'Hello.' })
    await send(app, 'Hi')
    await expect(lastAnswer(app)).toHaveText('Hello.')
    // Until the answer has ended, typed text is added to it.
    await expect(stopButton(app)).toBeHidden()
    await endHost()
    await expect(app.getByRole('region', { name: 'Notices' })).toContainText(
      'The connection to Talaria was lost.',
    )
    await expect(lastAnswer(app)).toHaveText('Hello.')
    await composer(app).fill('Not lost')
    await composer(app).press('Enter')
    await expect(composer(app)).toHaveValue('Not lost')
  })
})

test('two windows on the same chat show the same and decide for both', async ({
  app,
  secondWindow,
  hosting,
  model,
}) => {
  test.skip(hosting === 'desktop', 'the desktop application has one window')
  let other: Page
  await test.step('a second window on the same chat follows live', async () => {
    const counting = words(200, 2, 3)
    model.reply(counting, { text: 'To both.' })
    await send(app, 'Count')
    await expect(lastAnswer(app)).toContainText('word2 ')
    other = await secondWindow()
    await expect(lastAnswer(other)).toContainText('word2 ')
    counting.goOn()
    for (const page of [app, other]) await expect(lastAnswer(page)).toContainText('word3 ')
    await expect(other.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
    counting.goOn()
    for (const page of [app, other]) await expect(lastAnswer(page)).toHaveText(whole(200))

    await send(other, 'And this?')
    for (const page of [app, other]) {
      await expect(lastAnswer(page)).toContainText('To both.')
      await expect(answers(page)).toHaveCount(2)
    }
  })

  await test.step('an approval request is still there after a reload, and a decision in one window counts in all', async () => {
    await newChat(app)
    model.reply(callOf('echo hello'), { text: 'It said hello.' })
    await send(app, 'Say hello')
    await expect(approval(app)).toContainText('echo hello')
    await app.reload()
    await expect(approval(app)).toContainText('echo hello')
    await other.goto(app.url())
    await approval(other).getByRole('button', { name: 'Allow once' }).click()
    for (const page of [app, other]) {
      await expect(lastAnswer(page)).toHaveText('It said hello.')
      await expect(approval(page)).toBeHidden()
      await expect(card(page, /Run echo hello/)).toHaveCount(1)
    }
  })
})
