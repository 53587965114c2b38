import { answers, approval, card, chatRow, composer, lastAnswer, send } from './chat.ts'
import { newChat } from './memory.ts'
import { queryDatabase } from './query-database.ts'
import { callOf, expect, test, words } from './scripted-server.ts'

test('after a restart chats and the unsent draft are still there', async ({
  app,
  folders,
  relaunch,
  model,
}) => {
  model.reply({ text: 'The **answer** is 42.' })
  await send(app, 'What is the answer?')
  await expect(lastAnswer(app)).toContainText('The answer is 42.')
  await composer(app).fill('And the question')
  await expect
    .poll(() => queryDatabase(folders.home, 'select draft from sessions'))
    .toEqual(['And the question'])

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

test('after the host is killed during an answer and an approval request, the shown text is kept and both chats continue', async ({
  app,
  relaunch,
  model,
}) => {
  model.reply({ text: 'Let me see.', ...callOf('touch proof') })
  await send(app, 'Touch it')
  await expect(approval(app)).toBeVisible()
  await newChat(app)
  model.reply(words(2_000, 20))
  await send(app, 'Count')
  await expect(lastAnswer(app)).toContainText('word20 ')
  const shown = (await lastAnswer(app).innerText()).trim()

  const window = await relaunch('kill')
  await test.step('the answer', async () => {
    await chatRow(window, 'Count').click()
    await expect(answers(window)).toHaveCount(1)
    await expect(lastAnswer(window)).toContainText(shown)
    await expect(window.getByText('This answer was cut short here.')).toBeVisible()
    model.reply({ text: 'Where were we?' })
    await send(window, 'Go on')
    await expect(lastAnswer(window)).toHaveText('Where were we?')
  })
  await test.step('the approval request', async () => {
    await chatRow(window, 'Touch it').click()
    await expect(lastAnswer(window)).toHaveText('Let me see.')
    await expect(card(window, /Run touch proof/)).toBeVisible()
    await expect(approval(window)).toBeHidden()
    model.reply({ text: 'All is well.' })
    await send(window, 'And now?')
    await expect(lastAnswer(window)).toHaveText('All is well.')
    const roles = model
      .chats()
      .at(-1)
      ?.body.messages.map((message: { role: string }) => message.role)
    expect(roles.slice(0, 4)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(roles.at(-1)).toBe('user')
  })
})
