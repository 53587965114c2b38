import { describe, expect, onTestFinished, test } from 'vitest'
import { startBotServer } from '../../../../testing/telegram/bot-server.ts'
import { makeHandClock } from '../../../../testing/telegram/hand-clock.ts'
import { until } from '../../../../testing/until.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { Store } from '../../db/store.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import { createNetwork } from '../../net/create-network.ts'
import { createProxiedFetch } from '../../net/proxied-fetch.ts'
import type { BotAnswer } from './bot-answer.ts'
import { createBotApi, MOST_FETCHED_BYTES } from './bot-api.ts'
import { describeTelegram } from './telegram-kind.ts'
import { readServiceAddress } from '../../lib/network/web-address.ts'

const ANNA = 41

/** A fake Telegram to which Anna has written, and a client for it. */
async function aBot(send: typeof fetch = fetch) {
  const clock = makeHandClock()
  const server = await startBotServer({ clock })
  onTestFinished(() => server.close())
  server.phone.write(ANNA, '/start')
  const { address, token, phone } = server
  const api = createBotApi({ fetch: send, token, address, wait: clock.wait })
  return { server, clock, api, phone, say: (text: string) => api.sendMessage({ chat_id: ANNA, text }) }
}

/** A client whose every call gets this response. */
const apiThatGets = (gets: () => Promise<Response>) =>
  createBotApi({ address: 'https://api.telegram.org', fetch: gets, token: TOKEN, wait: makeHandClock().wait })
const TOKEN = '7000000001:AAStandInTokenOfNoBotAtAll0123456789'
const failing = (error: Error) =>
  apiThatGets(async () => {
    throw error
  })
const coded = (code: string, syscall?: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`${code} at …`), { code, syscall }) })

const kindOf = async (answer: Promise<BotAnswer<unknown>>) => (await answer).kind

describe('what the server says is told apart', () => {
  test('a message is sent, edited and deleted; an edit that changes nothing is done', async () => {
    const { clock, api, phone, say } = await aBot()
    const sent = await say('Hello')
    if (sent.kind !== 'ok') throw new Error(sent.kind)
    const { message_id } = sent.result
    const edit = { chat_id: ANNA, message_id, text: 'Hello again' }
    expect(await kindOf(api.editMessageText(edit))).toBe('ok')
    expect(await api.editMessageText(edit)).toEqual({ kind: 'ok', result: true })
    expect(phone.reads(ANNA).at(-1)).toMatchObject({ text: 'Hello again', edited: true })
    expect(await kindOf(api.deleteMessage({ chat_id: ANNA, message_id }))).toBe('ok')
    await clock.advance(1_000)
    expect(await api.editMessageText(edit)).toEqual({
      kind: 'bad-request',
      why: 'Telegram says: Bad Request: message to edit not found',
    })
  })

  test('too fast, blocked, moved, unknown, and a token that is worthless', async () => {
    const { server, api, phone, say } = await aBot()
    for (const text of ['1', '2', '3']) await say(text)
    expect(await say('4')).toEqual({ kind: 'retry-after', seconds: 1 })
    phone.write(42, '/start')
    phone.block(42)
    expect(await kindOf(api.sendMessage({ chat_id: 42, text: 'x' }))).toBe('blocked')
    phone.group(-5, 'Family', [ANNA])
    phone.migrate(-5, -1005)
    expect(await api.sendMessage({ chat_id: -5, text: 'x' })).toEqual({ kind: 'migrated', chat: -1005 })
    expect(await kindOf(api.sendMessage({ chat_id: 9, text: 'x' }))).toBe('bad-request')
    server.revoke()
    expect(await api.getMe()).toEqual({ kind: 'unauthorized' })
  })

  test('a second poll is a conflict for the first', async () => {
    const { server, api, phone } = await aBot()
    const kinds = ['message'] as const
    const first = await api.getUpdates({ seconds: 1, kinds })
    const offset = first.kind === 'ok' ? first.result[0]!.update_id + 1 : 0
    const polled = api.getUpdates({ seconds: 30, kinds, offset })
    await until(() => server.openPolls() === 1)
    const other = api.getUpdates({ seconds: 30, kinds, offset })
    expect(await polled).toMatchObject({ kind: 'conflict', why: expect.stringContaining('only one bot') })
    phone.write(ANNA, 'later')
    expect(await other).toMatchObject({ kind: 'ok', result: [{ message: { text: 'later' } }] })
  })

  test('a wait that no timer could hold is cut', async () => {
    const answer = { ok: false, error_code: 429, description: 'x', parameters: { retry_after: 1e12 } }
    expect(await apiThatGets(async () => Response.json(answer)).getMe()).toEqual({
      kind: 'retry-after',
      seconds: 86_400,
    })
  })
})

describe('whether a call may have been carried out', () => {
  test('cut off before or after the server took it: nobody can tell', async () => {
    const { server, phone, say } = await aBot()
    server.trouble('sendMessage', { cut: 'before' }, { cut: 'after' })
    expect(await kindOf(say('one'))).toBe('maybe-sent')
    expect(await kindOf(say('two'))).toBe('maybe-sent')
    expect(phone.reads(ANNA).map(({ text }) => text)).toEqual(['/start', 'two'])
  })

  test('no answer in time, or stopped by us', async () => {
    const { server, clock, api } = await aBot(
      (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    )
    expect(server.calls).toEqual([])
    const late = api.getMe()
    await clock.advance(30_000)
    expect(await late).toEqual({ kind: 'maybe-sent', why: 'No answer came within 30 seconds.' })
    const stop = new AbortController()
    const stopped = api.getMe(stop.signal)
    stop.abort()
    expect(await kindOf(stopped)).toBe('maybe-sent')
    expect(await kindOf(api.getMe(stop.signal))).toBe('not-sent')
  })

  test.each(['<html>Welcome to our café</html>', '{"ok":', '[]', 'null', '{"ok":true,"result":"what"}'])(
    'an answer that is none of the API: %s',
    async body => {
      expect(await kindOf(apiThatGets(async () => new Response(body)).getMe())).toBe('maybe-sent')
    },
  )

  test('the server fails, or leads elsewhere', async () => {
    const failed = { ok: false, error_code: 502, description: 'Bad Gateway' }
    expect(await kindOf(apiThatGets(async () => Response.json(failed, { status: 502 })).getMe())).toBe(
      'maybe-sent',
    )
    const moved = async () => Response.redirect('https://example.org/')
    expect(await kindOf(apiThatGets(moved).getMe())).toBe('maybe-sent')
  })

  test('never sent: nothing listens, no connection, no such name, a wrong certificate, the offline lock', async () => {
    const { server, say } = await aBot()
    await server.close()
    expect(await say('x')).toEqual({ kind: 'not-sent', why: 'Nothing answers at the address of the server.' })
    for (const error of [
      coded('ENOTFOUND', 'getaddrinfo'),
      coded('ETIMEDOUT', 'connect'),
      coded('ENETUNREACH'),
      coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
      new OfflineError('api.telegram.org'),
    ])
      expect(await kindOf(failing(error).getMe())).toBe('not-sent')
    for (const error of [
      coded('ECONNRESET', 'read'),
      coded('ETIMEDOUT', 'read'),
      coded('EPIPE'),
      new Error('x'),
    ])
      expect(await kindOf(failing(error).getMe())).toBe('maybe-sent')
  })
})

test('the token is in no answer, whatever the server or the system says', async () => {
  const secret = TOKEN.split(':')[1]!
  const repeats = { ok: false, error_code: 400, description: `${'x'.repeat(270)} /bot${TOKEN}, ${secret}` }
  const answers = await Promise.all([
    apiThatGets(async () => Response.json(repeats)).getMe(),
    failing(new TypeError(`Failed to parse URL from https://api.telegram.org/bot${TOKEN}/getMe`)).getMe(),
    failing(new OfflineError(`api.telegram.org/bot${TOKEN}`)).getMe(),
  ])
  expect(answers.map(({ kind }) => kind)).toEqual(['bad-request', 'maybe-sent', 'not-sent'])
  expect(JSON.stringify(answers)).not.toContain(secret)
})

describe('files', () => {
  test('go out with their captions, and stay as they are', async () => {
    const { api, phone } = await aBot()
    const file = { bytes: new Blob(['text']), name: 'notes “1”.txt' }
    const sent = await api.sendDocument(file, { chat_id: ANNA, caption: '7', disable_notification: true })
    expect(sent).toMatchObject({ kind: 'ok', result: { document: { file_size: 4 }, caption: '7' } })
    expect(phone.reads(ANNA).at(-1)).toMatchObject({ file: 'file notes “1”.txt', silent: true })
    expect(await kindOf(api.sendPhoto({ bytes: new Blob(['x']), name: 'a.jpg' }, { chat_id: ANNA }))).toBe(
      'ok',
    )
  })

  test('come in, but for what is too big or lies about its path', async () => {
    const { server, api, phone } = await aBot()
    const { voice } = phone.sendVoice(ANNA, new Uint8Array([1, 2, 3]))
    expect(await api.fetchFile(voice!.file_id)).toEqual({ kind: 'ok', result: Buffer.from([1, 2, 3]) })
    const { document } = phone.sendDocument(ANNA, new Uint8Array(MOST_FETCHED_BYTES + 1))
    expect(await api.fetchFile(document!.file_id)).toMatchObject({ kind: 'bad-request' })
    // A server that announces less than it sends.
    const small = phone.sendDocument(ANNA, new Uint8Array(10)).document!
    const served = [...server.world.files.values()].find(({ id }) => id === small.file_id)!
    const lies = createBotApi({
      token: server.token,
      address: server.address,
      wait: makeHandClock().wait,
      fetch: async (url, init) => {
        if (typeof url === 'string' && url.includes('/file/'))
          served.bytes = new Uint8Array(MOST_FETCHED_BYTES + 1)
        return fetch(url, init)
      },
    })
    expect(await lies.fetchFile(small.file_id)).toEqual({ kind: 'bad-request', why: 'The file is too big.' })
    served.path = '../../secret'
    served.bytes = new Uint8Array(1)
    expect(await api.fetchFile(small.file_id)).toMatchObject({ kind: 'bad-request' })
    expect(await kindOf(api.fetchFile('unknown'))).toBe('bad-request')
  })
})

test('a pressed button is answered, and typing is shown', async () => {
  const { api, phone, say } = await aBot()
  const sent = await api.sendMessage({
    chat_id: ANNA,
    text: 'Shall I?',
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] },
  })
  if (sent.kind !== 'ok') throw new Error(sent.kind)
  const press = phone.press(ANNA, sent.result.message_id, 'Yes')
  expect(await kindOf(api.answerCallbackQuery({ callback_query_id: press.id, text: 'Done' }))).toBe('ok')
  expect(await press.answer).toEqual({ text: 'Done', alert: false })
  const without = { chat_id: ANNA, message_id: sent.result.message_id }
  expect(await kindOf(api.editMessageReplyMarkup(without))).toBe('ok')
  expect(phone.reads(ANNA).at(-1)?.buttons).toEqual([])
  await api.sendChatAction({ chat_id: ANNA, action: 'typing' })
  expect(phone.actions(ANNA)).toEqual(['typing'])
  await api.setMyCommands({ commands: [{ command: 'stop', description: 'Stop at once' }] })
  expect(phone.commands()).toEqual({ stop: 'Stop at once' })
  expect(await api.getChat({ chat_id: ANNA })).toMatchObject({ kind: 'ok', result: { id: ANNA } })
  phone.group(-5, 'Family', [ANNA])
  expect(await kindOf(api.leaveChat({ chat_id: -5 }))).toBe('ok')
  expect(await kindOf(say('done'))).toBe('ok')
})

describe('through the one way out', () => {
  /** A client over the network of the host, whose ledger is a list. */
  async function aClientOfHost(locked = false, address?: string) {
    const { server } = await aBot()
    const entries: Parameters<Store['network']['begin']>[0][] = []
    const ended: { sentBytes: number | null }[] = []
    const network = createNetwork({
      store: {
        again: () => false,
        begin: entry => entries.push(entry),
        end: (_id, outcome) => void ended.push(outcome),
        list: () => [],
        hosts: () => [],
        clear() {},
      },
      locked: () => locked,
      now: Date.now,
      // As a patient request is sent: by `undici`, which does not know Node's forms.
      send: (url, init) => createProxiedFetch(() => ({ proxy: '', no_proxy: '' }), {}).fetch(url, init, true),
    })
    const api = createBotApi({
      fetch: network.fetchFor({ purpose: 'chat', subject: 'Telegram, your bot' }),
      token: server.token,
      address: address ?? server.address,
      wait: makeHandClock().wait,
    })
    return { server, api, entries, ended }
  }

  test('texts and files arrive whole, and the ledger knows their size but no token', async () => {
    const { server, api, entries, ended } = await aClientOfHost()
    expect(await kindOf(api.sendMessage({ chat_id: ANNA, text: 'Grüezi' }))).toBe('ok')
    const file = { bytes: new Blob(['a'.repeat(1_000)]), name: 'a.txt' }
    expect(await kindOf(api.sendDocument(file, { chat_id: ANNA }))).toBe('ok')
    expect(server.phone.reads(ANNA).slice(1)).toMatchObject([{ text: 'Grüezi' }, { file: 'file a.txt' }])
    expect(ended[1]!.sentBytes).toBeGreaterThan(1_000)
    expect(JSON.stringify(entries)).not.toContain(server.token.split(':')[1])
  })

  test('the offline lock lets nothing out, and says so', async () => {
    const { api, entries } = await aClientOfHost(true, 'https://api.telegram.org')
    expect(await api.sendMessage({ chat_id: ANNA, text: 'x' })).toEqual({
      kind: 'not-sent',
      why: 'The offline lock is on, so nothing was sent to api.telegram.org.',
    })
    expect(entries).toMatchObject([{ host: 'api.telegram.org', state: 'blocked' }])
  })
})

describe('settings', () => {
  test.each([
    'https://api.telegram.org',
    ' https://api.telegram.org/ ',
    'http://127.0.0.1:8081',
    'http://localhost:8081/api/',
    'http://[::1]:80',
  ])('the address %s is taken', address => {
    expect(readServiceAddress(address, 'https://api.telegram.org')).toBe(
      new URL(address).href.replace(/\/$/, ''),
    )
  })

  test.each([
    '',
    'api.telegram.org',
    'http://api.telegram.org',
    'https://api.telegram.org.example.com',
    'https://api.telegram.org:444',
    'https://api.telegram.org/elsewhere',
    'https://api.telegram.org@example.com',
    'https://me:secret@127.0.0.1',
    'http://192.168.0.2:8081',
    'file:///127.0.0.1',
    'http://127.0.0.1/?x=1',
  ])('the address %j is refused', address => {
    expect(isRefusal(readServiceAddress(address, 'https://api.telegram.org'))).toBe(true)
  })

  test('a token is one as BotFather gives it', () => {
    const { readKey } = describeTelegram(() => '')
    expect(readKey?.(` ${TOKEN}\n`)).toBe(TOKEN)
    for (const wrong of ['', 'hello', `${TOKEN}/../x`, TOKEN.replace(':', ''), `bot${TOKEN}`, '1:short'])
      expect(isRefusal(readKey?.(wrong))).toBe(true)
  })
})
