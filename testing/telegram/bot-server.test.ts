import type { Opts } from '@grammyjs/types'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import type { botMethods } from './bot-methods.ts'
import { startBotServer, type BotServer } from './bot-server.ts'
import { makeHandClock } from './hand-clock.ts'

const ANNA = 41

/** A server with its clock, and a function that calls a bot method. */
async function aServer(options: Parameters<typeof startBotServer>[0] = {}) {
  const clock = makeHandClock()
  const server = await startBotServer({ clock, ...options })
  onTestFinished(() => server.close())
  return { server, clock, call: callOf(server), phone: server.phone }
}

const callOf =
  ({ address, token }: BotServer) =>
  async (method: string, values: object = {}, key = token): Promise<any> => {
    const response = await fetch(`${address}/bot${key}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
    return Object.assign({ status: response.status }, await response.json())
  }

const textsOf = (polled: any): string[] => polled.result.map((update: any) => update.message?.text)

describe('updates', () => {
  test('come until a poll with a higher offset confirms them', async () => {
    const { call, phone } = await aServer()
    phone.write(ANNA, 'one')
    phone.write(ANNA, 'two')
    const first = await call('getUpdates')
    expect(textsOf(first)).toEqual(['one', 'two'])
    expect(textsOf(await call('getUpdates', { offset: first.result[0].update_id }))).toEqual(['one', 'two'])
    expect(textsOf(await call('getUpdates', { offset: first.result[1].update_id }))).toEqual(['two'])
    expect(textsOf(await call('getUpdates', { limit: 1 }))).toEqual(['two'])
    expect(textsOf(await call('getUpdates', { offset: -1 }))).toEqual(['two'])
  })

  test('a long poll ends when something comes, or when its time is over', async () => {
    const { server, clock, call, phone } = await aServer()
    const polled = call('getUpdates', { timeout: 30 })
    await until(() => server.openPolls() === 1)
    phone.write(ANNA, 'here')
    expect(textsOf(await polled)).toEqual(['here'])
    // An offset that is far too high is ignored.
    expect(textsOf(await call('getUpdates', { offset: 900_000_000 }))).toEqual(['here'])
    const { result } = await call('getUpdates')
    const second = call('getUpdates', { timeout: 30, offset: result[0].update_id + 1 })
    await until(() => server.openPolls() === 1)
    await clock.advance(30_000)
    expect(textsOf(await second)).toEqual([])
  })

  test('a second poll ends the first with 409, and a webhook all of them', async () => {
    const { server, call } = await aServer()
    const first = call('getUpdates', { timeout: 30 })
    await until(() => server.openPolls() === 1)
    const second = call('getUpdates', { timeout: 30 })
    expect(await first).toMatchObject({ status: 409, error_code: 409, ok: false })
    expect(await call('setWebhook', { url: 'https://example.org/' })).toMatchObject({ result: true })
    expect((await second).description).toBe('Conflict: terminated by setWebhook request')
    expect((await call('getUpdates')).description).toMatch(/webhook is active/)
    expect((await call('deleteWebhook')).result).toBe(true)
    expect((await call('getUpdates')).ok).toBe(true)
  })

  test('messages wait a day, pressed buttons for two and a half minutes', async () => {
    const { clock, call, phone } = await aServer()
    const sent = await ask(call, phone)
    phone.press(ANNA, sent, 'Yes')
    phone.write(ANNA, 'old')
    await clock.advance(151_000)
    expect(textsOf(await call('getUpdates'))).toEqual(['/start', 'old'])
    await clock.advance(24 * 3_600_000)
    expect(textsOf(await call('getUpdates'))).toEqual([])
  })

  test('only of the kinds that were asked for', async () => {
    const { call, phone } = await aServer()
    await call('getUpdates', { allowed_updates: ['message'] })
    const { message_id } = phone.write(ANNA, 'one')
    phone.edit(ANNA, message_id, 'two')
    expect((await call('getUpdates')).result.map(Object.keys)).toEqual([['update_id', 'message']])
  })
})

/** Let Anna start the chat, and the bot ask her something. Returns the number of the bot's message. */
async function ask(call: ReturnType<typeof callOf>, phone: BotServer['phone'], data = 'y'): Promise<number> {
  phone.write(ANNA, '/start')
  const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: data }]] }
  return (await call('sendMessage', { chat_id: ANNA, text: 'Shall I?', reply_markup })).result.message_id
}

describe('what a bot sends', () => {
  test('stands in the chat as its reader sees it, with edits', async () => {
    const { call, phone } = await aServer()
    const id = await ask(call, phone)
    expect(phone.reads(ANNA).at(-1)).toMatchObject({ text: 'Shall I?', buttons: [['Yes']], edited: false })
    await call('editMessageText', { chat_id: ANNA, message_id: id, text: 'Done.' })
    expect(phone.reads(ANNA).at(-1)).toMatchObject({ text: 'Done.', buttons: [], edited: true })
    await call('deleteMessage', { chat_id: ANNA, message_id: id })
    expect(phone.reads(ANNA).map(({ text }) => text)).toEqual(['/start'])
    const gone = await call('editMessageText', { chat_id: ANNA, message_id: id, text: 'x' })
    expect(gone.description).toBe('Bad Request: message to edit not found')
  })

  test('is refused where it breaks a rule', async () => {
    const { call, phone } = await aServer({ limits: { chat: { burst: 99, each: 1 } } })
    const id = await ask(call, phone)
    const why = async (method: string, values: object) => {
      const { ok, status, description } = await call(method, { chat_id: ANNA, ...values })
      return ok ? 'taken' : `${status} ${description}`
    }
    expect(await why('sendMessage', { text: 'x'.repeat(4_096) })).toBe('taken')
    expect(await why('sendMessage', { text: 'x'.repeat(4_097) })).toBe('400 Bad Request: message is too long')
    expect(await why('sendMessage', { text: '😀'.repeat(2_049) })).toBe(
      '400 Bad Request: message is too long',
    )
    expect(await why('sendMessage', { text: ' \n ' })).toBe('400 Bad Request: message text is empty')
    expect(await why('sendMessage', { text: '*x*', parse_mode: 'MarkdownV2' })).toMatch(/^400 .*parse_mode/)
    expect(await why('sendMessage', { text: 'x', surprise: 1 })).toMatch(/^400 .*surprise/)
    expect(await why('editMessageText', { message_id: id, text: 'Shall I?' })).toBe('taken')
    expect(await why('editMessageText', { message_id: id, text: 'Shall I?' })).toMatch(/^400 .*not modified/)
    const button = (callback_data: string) => ({
      text: 'x',
      reply_markup: { inline_keyboard: [[{ text: 'b', callback_data }]] },
    })
    expect(await why('sendMessage', button('é'.repeat(32)))).toBe('taken')
    expect(await why('sendMessage', button(`${'é'.repeat(32)}x`))).toBe(
      '400 Bad Request: BUTTON_DATA_INVALID',
    )
    expect(await why('sendMessage', { chat_id: 9, text: 'x' })).toBe('400 Bad Request: chat not found')
    expect(await why('sendMessageDraft', { draft_id: 1, text: 'x' })).toBe('taken')
    expect(await why('sendNonsense', {})).toBe('404 Not Found: method not found')
  })

  test('too fast is told how long to wait, and longer for each call before that', async () => {
    const { clock, call, phone } = await aServer()
    phone.write(ANNA, '/start')
    const send = async () => {
      const { ok, parameters } = await call('sendMessage', { chat_id: ANNA, text: 'x' })
      return ok ? 'taken' : parameters.retry_after
    }
    expect([await send(), await send(), await send(), await send(), await send()]).toEqual([
      'taken',
      'taken',
      'taken',
      1,
      2,
    ])
    await clock.advance(1_000)
    expect(await send()).toBe(2)
    await clock.advance(2_000)
    expect(await send()).toBe('taken')
  })

  test('does not reach who blocked the bot, a group that moved, or one that put it out', async () => {
    const { call, phone } = await aServer()
    phone.write(ANNA, '/start')
    phone.block(ANNA)
    expect(await call('sendMessage', { chat_id: ANNA, text: 'x' })).toMatchObject({
      status: 403,
      description: 'Forbidden: bot was blocked by the user',
    })
    phone.group(-5, 'Family', [ANNA])
    phone.migrate(-5, -1005)
    expect(await call('sendMessage', { chat_id: -5, text: 'x' })).toMatchObject({
      status: 400,
      parameters: { migrate_to_chat_id: -1005 },
    })
    phone.expel(ANNA, -1005)
    expect((await call('sendMessage', { chat_id: -1005, text: 'x' })).status).toBe(403)
    const told = (await call('getUpdates')).result.slice(1).map((update: any) => {
      const { message, my_chat_member: changed } = update
      return changed
        ? `${changed.chat.id} ${changed.new_chat_member.status}`
        : [
            message.migrate_from_chat_id ?? message.chat.id,
            message.migrate_to_chat_id ?? message.chat.id,
          ].join()
    })
    expect(told).toEqual(['41 kicked', '-5 member', '-5,-1005', '-5,-1005', '-1005 kicked'])
  })
})

test('a button tells the bot, which may answer for a minute', async () => {
  const { clock, call, phone } = await aServer()
  const id = await ask(call, phone, 'approve-1')
  const first = phone.press(ANNA, id, 'Yes')
  const { result } = await call('getUpdates')
  expect(result.at(-1).callback_query).toMatchObject({ id: first.id, data: 'approve-1', from: { id: ANNA } })
  await call('answerCallbackQuery', { callback_query_id: first.id, text: 'Done' })
  expect(await first.answer).toEqual({ text: 'Done', alert: false })
  const second = phone.press(ANNA, id, 'Yes')
  await clock.advance(61_000)
  expect((await call('answerCallbackQuery', { callback_query_id: second.id })).description).toMatch(/too old/)
})

test('a wrong token, a revoked one and one that is none are told apart', async () => {
  const { server, call } = await aServer()
  expect((await call('getMe', {}, '7000000001:another')).status).toBe(401)
  expect((await call('getMe', {}, 'nonsense')).status).toBe(404)
  const polled = call('getUpdates', { timeout: 30 })
  await until(() => server.openPolls() === 1)
  server.revoke()
  expect((await polled).status).toBe(401)
  expect((await call('getMe')).status).toBe(401)
})

test('a call that is cut off before or after the server took it', async () => {
  const { server, call, phone } = await aServer()
  phone.write(ANNA, '/start')
  server.trouble('sendMessage', { cut: 'before' }, { cut: 'after' })
  await expect(call('sendMessage', { chat_id: ANNA, text: 'one' })).rejects.toThrow('fetch failed')
  await expect(call('sendMessage', { chat_id: ANNA, text: 'two' })).rejects.toThrow('fetch failed')
  expect(phone.reads(ANNA).map(({ text }) => text)).toEqual(['/start', 'two'])
})

test('groups, topics, channels and administrators that stay unknown', async () => {
  const { call, phone } = await aServer()
  phone.group(-1007, 'Project', [ANNA], true)
  phone.write(ANNA, 'not for the bot', { in: -1007 })
  phone.write(ANNA, '/help@another_bot', { in: -1007 })
  phone.write(ANNA, '@talaria_test_bot hello', { in: -1007, topic: 7 })
  phone.writeAsAdmin(-1007, '/stop')
  phone.post(-1009, 'news')
  const { result } = await call('getUpdates')
  const [letIn, mention, command, post] = result
  expect(result).toHaveLength(4)
  expect(letIn.my_chat_member).toMatchObject({ from: { id: ANNA }, new_chat_member: { status: 'member' } })
  expect(mention.message).toMatchObject({ message_thread_id: 7, entities: [{ type: 'mention', length: 17 }] })
  expect(command.message).toMatchObject({
    sender_chat: { id: -1007 },
    from: { username: 'GroupAnonymousBot' },
  })
  expect(post.channel_post).toMatchObject({ chat: { type: 'channel' } })
  expect((await call('sendMessage', { chat_id: -1007, message_thread_id: 7, text: 'x' })).ok).toBe(true)
})

test('forwards, quotes, other bots and edits are told as such', async () => {
  const { call, phone } = await aServer()
  const first = phone.write(ANNA, 'first')
  phone.write(ANNA, 'from elsewhere', { from: { id: 9, is_bot: false, first_name: 'Carl' } })
  phone.write(ANNA, 'by a bot', { viaBot: 'gif' })
  phone.write(ANNA, 'look', { replyTo: first.message_id, quote: 'fir' })
  phone.edit(ANNA, first.message_id, 'changed')
  const told = (await call('getUpdates')).result.map((update: any) => update.message ?? update.edited_message)
  expect(told[1]).toMatchObject({ forward_origin: { type: 'user', sender_user: { id: 9 } } })
  expect(told[2]).toMatchObject({ via_bot: { username: 'gif' } })
  expect(told[3]).toMatchObject({ reply_to_message: { text: 'first' }, quote: { text: 'fir' } })
  expect(told[4]).toMatchObject({ text: 'changed', message_id: first.message_id })
})

test('files come and go, albums too, and the large ones cannot be fetched', async () => {
  const { server, call, phone } = await aServer()
  phone.sendVoice(ANNA, new Uint8Array([1, 2, 3]), { seconds: 12 })
  phone.sendPhoto(ANNA, new Uint8Array(5), { album: 'a', caption: 'both' })
  phone.sendPhoto(ANNA, new Uint8Array(6), { album: 'a' })
  phone.sendDocument(ANNA, new Uint8Array(20_000_001), { name: 'large.bin' })
  const [voice, one, two, large] = (await call('getUpdates')).result.map(({ message }: any) => message)
  expect(one.media_group_id).toBe(two.media_group_id)
  const { result } = await call('getFile', { file_id: voice.voice.file_id })
  const fetched = await fetch(`${server.address}/file/bot${server.token}/${result.file_path}`)
  expect(new Uint8Array(await fetched.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
  expect((await call('getFile', { file_id: large.document.file_id })).description).toMatch(/too big/)
})

test('a bot sends albums, voice notes and drafts', async () => {
  const { server, phone } = await aServer()
  phone.write(ANNA, '/start')
  phone.group(-5, 'Family', [ANNA])
  const post = async (method: string, values: Record<string, string>, files: string[]): Promise<any> => {
    const form = new FormData()
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    for (const name of files) form.set(name, new Blob([name]), `${name}.jpg`)
    const response = await fetch(`${server.address}/bot${server.token}/${method}`, {
      method: 'POST',
      body: form,
    })
    return response.json()
  }
  const media = ['a', 'b'].map(name => ({ type: 'photo', media: `attach://${name}`, caption: name }))
  const album = await post('sendMediaGroup', { chat_id: `${ANNA}`, media: JSON.stringify(media) }, ['a', 'b'])
  expect(new Set(album.result.map((message: any) => message.media_group_id)).size).toBe(1)
  const mixed = JSON.stringify([media[0], { type: 'document', media: 'attach://b' }])
  expect((await post('sendMediaGroup', { chat_id: `${ANNA}`, media: mixed }, ['a', 'b'])).error_code).toBe(
    400,
  )
  await post('sendVoice', { chat_id: `${ANNA}`, duration: '12' }, ['voice'])
  expect(phone.reads(ANNA).map(({ file }) => file)).toEqual([undefined, 'picture', 'picture', 'voice note'])
  const draft = (chat: number) =>
    post('sendMessageDraft', { chat_id: `${chat}`, draft_id: '1', text: 'So…' }, [])
  expect((await draft(-5)).description).toBe('Bad Request: TEXTDRAFT_PEER_INVALID')
})

test('the stand-in asks for nothing that is not in the types of the real one', () => {
  type Methods = ReturnType<typeof botMethods>
  type Invented = {
    [M in keyof Methods]: Exclude<keyof Methods[M]['schema']['shape'], keyof Opts<Blob>[M]>
  }[keyof Methods]
  expectTypeOf<Invented>().toBeNever()
})
