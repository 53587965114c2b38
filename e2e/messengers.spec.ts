import { startBotServer, type BotServer } from '../testing/telegram/bot-server.ts'
import { approval, chatList, dialog, lastAnswer, openPage, transcript } from './chat.ts'
import { expect, test as base } from './scripted-server.ts'

const ADA = 41

/**
 * Specs with a server on this computer instead of Telegram's, and the phones of the people who write there.
 */
const test = base.extend<{ telegram: BotServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  telegram: async ({}, use) => {
    const telegram = await startBotServer()
    await use(telegram)
    await telegram.close()
  },
  config: async ({ telegram }, use) => {
    await use({ gateway: { telegram_address: telegram.address } })
  },
})

test('a phone is paired, chats and allows a call while the window watches, also after a restart', async ({
  app,
  model,
  telegram,
  relaunch,
}) => {
  const { phone } = telegram
  phone.name(ADA, { first_name: 'Ada' })
  const reads = () => phone.reads(ADA).filter(({ from }) => from === 'Talaria')
  const newest = () => expect.poll(() => reads().at(-1)?.text ?? '', { timeout: 20_000 })

  await test.step('it is connected and paired in three steps', async () => {
    await openPage(app, 'Messengers')
    await app.getByLabel('Key of your Telegram bot').fill(telegram.token)
    await app.getByRole('button', { name: 'Connect', exact: true }).click()
    await app.getByRole('button', { name: 'Pair your phone…' }).click()
    const code = dialog(app).getByText(/^\/start [a-z2-7]{26}$/)
    phone.write(ADA, (await code.textContent()) ?? '')
    await expect(dialog(app)).toContainText('Ada wants to write to your agent.')
    await dialog(app).getByRole('button', { name: 'This is me' }).click()
    await dialog(app).getByRole('button', { name: 'Done' }).click()
    await app.getByRole('button', { name: /^Ada/ }).click()
    await app.getByLabel('Ask on the phone').click()
    await expect(app.getByRole('listitem', { name: 'Ada', exact: true })).toContainText('May be asked')
  })

  const chat = chatList(app).getByRole('button', { name: /^Write a list/i })
  await test.step('what is written on the phone is answered in a chat that the window shows', async () => {
    model.reply(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'list.txt', content: 'Milk' } }] },
      { text: 'The list is **written**.' },
    )
    phone.write(ADA, 'Write a list')
    await chat.click()
    await expect(approval(app)).toContainText('list.txt')
  })

  await test.step('the phone allows the call, and the window says so', async () => {
    await newest().toContain('Question 1')
    phone.press(ADA, reads().at(-1)!.id, 'Allow once')
    await expect(approval(app)).toBeHidden()
    await expect(lastAnswer(app)).toContainText('The list is written.')
    await expect(transcript(app)).toContainText('Answered by you on Telegram')
    await newest().toBe('The list is written.')
  })

  await test.step('after a restart the phone is still known, and the window answers for it', async () => {
    const again = await relaunch()
    model.reply(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'more.txt', content: 'Bread' } }] },
      { text: 'Not written.' },
    )
    phone.write(ADA, 'One more')
    await chatList(again)
      .getByRole('button', { name: /^Write a list/i })
      .click()
    await approval(again).getByRole('button', { name: 'Deny', exact: true }).click()
    await newest().toBe('Not written.')
    const all = () => reads().map(({ text }) => text)
    await expect.poll(() => all().join('\n'), { timeout: 20_000 }).toContain('Denied at the computer')
  })
})
