import { Bot, GrammyError, InlineKeyboard, InputFile } from 'grammy'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import { startBotServer } from './bot-server.ts'

const ANNA = 41

/** Node's `fetch` refuses grammY's signals, which are not Node's `AbortSignal`, so each is replaced. */
const throughNode = (async (url: string, init: RequestInit & { signal?: AbortSignal | null }) => {
  const { signal, agent: _agent, ...rest } = { agent: undefined, ...init }
  const own = new AbortController()
  if (signal?.aborted) own.abort()
  signal?.addEventListener('abort', () => own.abort())
  const streams = rest.body && typeof rest.body === 'object' ? { duplex: 'half' as const } : {}
  return fetch(url, { ...rest, ...streams, signal: own.signal })
}) as never

test('grammY works with the stand-in: polls, texts, buttons, edits, files and errors', async () => {
  const server = await startBotServer()
  onTestFinished(() => server.close())
  const bot = new Bot(server.token, { client: { apiRoot: server.address, fetch: throughNode } })
  const seen: string[] = []
  bot.command('start', context =>
    context.reply('Shall I?', { reply_markup: new InlineKeyboard().text('Yes', 'go') }),
  )
  bot.callbackQuery('go', async context => {
    await context.answerCallbackQuery('On it')
    await context.editMessageText('Done.', { entities: [{ type: 'bold', offset: 0, length: 5 }] })
  })
  bot.on('edited_message:text', context => void seen.push(`edited: ${context.editedMessage.text}`))
  bot.on('message:text', context => void seen.push(context.message.text))
  bot.on('message:voice', async context => void seen.push(String((await context.getFile()).file_size)))
  const running = bot.start()
  onTestFinished(() => bot.stop().then(() => running))

  const { phone } = server
  const { message_id } = phone.write(ANNA, 'hello')
  phone.edit(ANNA, message_id, 'hello again')
  phone.sendVoice(ANNA, new Uint8Array(7))
  phone.write(ANNA, '/start')
  await until(() => phone.reads(ANNA).at(-1)?.text === 'Shall I?')
  const { answer } = phone.press(ANNA, phone.reads(ANNA).at(-1)!.id, 'Yes')
  expect(await answer).toEqual({ text: 'On it', alert: false })
  await until(() => phone.reads(ANNA).at(-1)?.text === 'Done.')
  expect(seen).toEqual(['hello', 'edited: hello again', '7'])

  const file = await bot.api.sendDocument(ANNA, new InputFile(Buffer.from('text'), 'notes.txt'), {
    caption: 'Notes',
  })
  expect(file.document).toMatchObject({ file_name: 'notes.txt', file_size: 4 })
  expect(phone.reads(ANNA).at(-1)).toMatchObject({ text: 'Notes', file: 'file notes.txt' })
  await expect(bot.api.sendMessage(ANNA, '*x*', { parse_mode: 'MarkdownV2' })).rejects.toThrow(GrammyError)
})
