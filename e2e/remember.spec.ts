import { composer, lastAnswer, send, transcript } from './chat.ts'
import { expect, test } from './served.ts'

const remember = (content: string) => ({
  toolCalls: [{ name: 'memory', arguments: { action: 'add', target: 'user', content } }],
})
const systemOf = (body: { messages: { content: string }[] }) => body.messages[0]!.content

test('what the agent is told is in the next chat, until it is undone', async ({ app, model }) => {
  model.reply(
    remember('User prefers pnpm.'),
    { text: 'I will use it.' },
    { text: 'pnpm.' },
    { text: 'No idea.' },
  )
  await send(app, 'Remember that I prefer pnpm')
  await expect(lastAnswer(app)).toContainText('I will use it.')
  const chip = transcript(app).getByRole('listitem').filter({ hasText: 'User prefers pnpm.' })
  await expect(chip).toBeVisible()
  await app.reload()
  await chip.getByRole('button', { name: /^View/ }).click()
  await expect(app.getByRole('list', { name: 'What is known about you' })).toContainText('User prefers pnpm.')

  await app.getByRole('button', { name: 'New chat' }).first().click()
  await send(app, 'What do I use?')
  await expect(lastAnswer(app)).toContainText('pnpm.')
  expect(systemOf(model.chats()[2]!.body)).toContain('- User prefers pnpm.')

  await app.getByRole('button', { name: 'Memory', exact: true }).first().click()
  await app.getByRole('tab', { name: 'History' }).click()
  await app.getByRole('list', { name: 'Changes' }).getByRole('button', { name: /Undo/ }).first().click()
  await expect(app.getByText('Undone.', { exact: true })).toBeVisible()
  await app.getByRole('button', { name: 'New chat' }).first().click()
  await send(app, 'And now?')
  await expect(lastAnswer(app)).toContainText('No idea.')
  expect(systemOf(model.chats()[3]!.body)).not.toContain('pnpm')
})

test('an answer that only claims to have saved something is told apart, and can be made true', async ({
  app,
  model,
}) => {
  model.reply({ text: 'I have saved that to memory.' })
  await send(app, 'Remember that my dog is called Rex')
  const card = app.getByRole('button', { name: 'Save it now' })
  await card.click()
  await expect(
    transcript(app).getByRole('listitem').filter({ hasText: 'My dog is called Rex' }),
  ).toBeVisible()
  await app.reload()
  await expect(
    transcript(app).getByRole('listitem').filter({ hasText: 'My dog is called Rex' }),
  ).toBeVisible()
})

test('ordinary words find what was decided, and Enter opens the chat there', async ({ app, model }) => {
  model.reply({ text: 'Then the release waits for the new database driver.' }, { text: 'Tomatoes, then.' })
  await send(app, 'We decided to postpone the release until the driver is fixed')
  await expect(lastAnswer(app)).toContainText('database driver')
  await app.getByRole('button', { name: 'New chat' }).first().click()
  await send(app, 'What shall I cook?')
  await expect(lastAnswer(app)).toContainText('Tomatoes')
  const field = app
    .getByRole('searchbox')
    .or(app.getByRole('combobox', { name: /Search/ }))
    .first()
  await field.fill('why was the release postponed')
  await expect(app.locator('mark').first()).toBeVisible()
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(transcript(app)).toContainText('postpone the release')
  await expect(composer(app)).toBeVisible()
})
