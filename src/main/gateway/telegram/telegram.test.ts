import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Message } from '@grammyjs/types'
import { expect, onTestFinished, test } from 'vitest'
import { aGatewayHost } from '../../../../testing/gateway/a-gateway.ts'
import { letIn } from '../../../../testing/gateway/let-in.ts'
import { aHome, aServer, slowly } from '../../../../testing/host/a-host.ts'
import { startBotServer } from '../../../../testing/telegram/bot-server.ts'

// Telegram through a whole host, against a stand-in of its servers on this computer.

const soon = { timeout: 15_000, interval: 20 }
const ANNA = 41
const people = { [ANNA]: {} }

/** What the first button below a message says to the bot. */
function dataOf({ reply_markup: markup }: Message): string {
  const button = markup?.inline_keyboard[0]?.[0]
  if (!button || !('callback_data' in button)) throw new Error('There is no button.')
  return button.callback_data
}

type Given = {
  /** A server that writes speech down. */
  ears?: { heard: string; asked: string[] }
  isPaired?: true
  coreTools?: true
}

/** A host whose Telegram is a stand-in; whoever is not paired there is known already. */
async function aTelegramHost(home: string, { ears, isPaired, coreTools }: Given = {}) {
  const telegram = await startBotServer()
  const speech = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      ears?.asked.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString('latin1')}`)
      response.end(JSON.stringify({ text: ears?.heard }))
    })
  })
  await new Promise<void>(resolve => speech.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(speech.address() as AddressInfo).port}/v1`
  const config = [
    'gateway:',
    `  telegram_address: ${telegram.address}`,
    ...(ears
      ? [
          'models:',
          '  servers:',
          `    - { id: ears, name: Ears, base_url: '${address}', model: whisper-1 }`,
          '  auxiliary: { transcription: server:ears }',
        ]
      : []),
  ]
  writeFileSync(join(home, 'config.yaml'), `${config.join('\n')}\n`)
  onTestFinished(async () => {
    speech.close()
    await telegram.close()
  })
  const host = await aGatewayHost(home, {
    people,
    ...(isPaired && { isPaired }),
    ...(coreTools && { coreTools }),
    gateway: {
      ...(!isPaired && { rights: needs => letIn(people, needs) }),
      joinMs: 15,
      waitMs: 20,
    },
  })
  const server = await aServer(host.client)
  await host.client['model.setDefault']({ id: server.modelId })
  const texts = () =>
    telegram.phone
      .reads(ANNA)
      .filter(({ from }) => from === 'Talaria')
      .map(({ text }) => text)
  return { ...host, server, telegram, phone: telegram.phone, texts }
}

test('Telegram is connected with its key, and answers there as the chat is stored', async () => {
  using home = aHome()
  const made = await aTelegramHost(home.path)
  await using host = made
  const { telegram, phone, texts, client } = made
  const wrong = client['gateway.connect']({ platform: 'telegram', key: 'https://t.me/my_bot' })
  await expect(wrong).rejects.toThrow('This is not a bot token.')
  const connected = await client['gateway.connect']({ platform: 'telegram', key: ` ${telegram.token}\n` })
  expect(connected).toMatchObject({ state: 'connected', address: telegram.address, me: { name: 'Talaria' } })
  expect(Object.keys(phone.commands())).toContain('new')

  made.server.reply({ text: 'Hello **Anna**.' })
  phone.write(ANNA, 'hello')
  await expect.poll(texts, soon).toEqual(['Hello Anna.'])
  made.server.reply(slowly(60, 40))
  phone.write(ANNA, 'tell me much')
  await expect.poll(() => texts().at(-1) ?? '', soon).toMatch(/w59$/)
  const [session] = (await client['session.list']({})).sessions
  const { messages } = await client['session.messages']({ id: session!.id })
  expect(texts().at(-1)).toBe(messages.at(-1)!.text.trim())
  expect(telegram.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(2)
  expect(telegram.calls.some(({ method }) => method === 'editMessageText')).toBe(true)
  expect(telegram.calls.filter(({ status }) => status === 429)).toEqual([])

  // Polls are one line of the ledger, and the key of the bot is nowhere in it.
  const { entries } = await client['network.list']({})
  const lines = entries.filter(({ purpose }) => purpose === 'messenger')
  expect(lines.filter(({ subject }) => /times\)/.test(subject))).toMatchObject([
    { subject: expect.stringMatching(/^Telegram, your bot \(\d+ times\)$/), state: 'running' },
  ])
  const secret = telegram.token.split(':')[1]!
  expect(JSON.stringify([entries, await client['gateway.state']({})])).not.toContain(secret)
  expect(readFileSync(join(home.path, 'state.db')).includes(secret)).toBe(false)
  expect(host.mistakes()).toEqual([])
})

test('a voice note is its words where a server hears them, a forwarded one those of somebody else, and files are attached', async () => {
  using home = aHome()
  const ears = { heard: ' Buy milk. ', asked: [] as string[] }
  const made = await aTelegramHost(home.path, { ears })
  await using _host = made
  const { telegram, phone, texts, client, server } = made
  await client['gateway.connect']({ platform: 'telegram', key: telegram.token })
  const bytes = new Uint8Array([79, 103, 103, 83])
  const ask = async (send: () => void) => {
    const before = texts().length
    server.reply({ text: `Answer ${before}.` })
    send()
    await expect.poll(() => texts().length, soon).toBe(before + 1)
    const [session] = (await client['session.list']({})).sessions
    const { messages } = await client['session.messages']({ id: session!.id })
    return messages.findLast(({ role }) => role === 'user')
  }
  const spoken = await ask(() => phone.sendVoice(ANNA, bytes, { seconds: 12 }))
  expect(spoken?.text).toBe('Buy milk.\n\n(a voice note of 0:12, written down by Ears.)')
  expect(ears.asked).toHaveLength(1)
  expect(ears.asked[0]).toMatch(/^POST \/v1\/audio\/transcriptions [^]*whisper-1[^]*voice\.ogg[^]*OggS/)

  const forwarded = await ask(() =>
    phone.sendVoice(ANNA, bytes, { from: { id: 9, is_bot: false, first_name: 'Eve' } }),
  )
  expect(forwarded?.text).toContain('a forwarded voice note of 0:12')
  expect(forwarded?.text).not.toContain('Buy milk')
  expect(JSON.stringify(server.chats().at(-1))).toMatch(/The user forwards this voice note:[^]*Buy milk\./)
  expect(ears.asked).toHaveLength(2)

  const file = await ask(() =>
    phone.sendDocument(ANNA, new TextEncoder().encode('Tea and bread.'), { caption: 'My list' }),
  )
  expect(file).toMatchObject({ text: 'My list', attachments: [{ name: 'notes.txt' }] })
})

test('paired by a link that only the computer shows, and asked by buttons that nobody else can press', async () => {
  using home = aHome()
  const made = await aTelegramHost(home.path, { isPaired: true, coreTools: true })
  await using host = made
  const { telegram, phone, texts, client, server } = made
  await client['gateway.connect']({ platform: 'telegram', key: telegram.token })
  phone.name(ANNA, { first_name: 'Anna', last_name: 'Berg' })
  phone.write(ANNA, 'is somebody there?')
  const steps = client['gateway.pair']({ platform: 'telegram' })
  const { value: first } = await steps.next()
  if (first?.step !== 'code') throw new Error('It shows a code.')
  expect(first.link).toBe(`https://t.me/talaria_test_bot?start=${first.code}`)
  // What Telegram sends when the link is opened.
  phone.write(ANNA, `/start ${first.code}`)
  const { value: asks } = await steps.next()
  if (asks?.step !== 'asks') throw new Error('It asks who this is.')
  expect([texts(), asks.name, asks.accountId]).toEqual([[], 'Anna Berg', String(ANNA)])
  const { pairingId, seen } = asks
  const { contactId } = await client['gateway.decide']({ pairingId, seen, as: 'you' })
  await steps.next()
  const [contact] = (await client['gateway.state']({})).contacts
  await client['gateway.change']({ id: contactId!, seen: contact!.seen, rights: 'ask' })

  const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'one' } }
  server.reply({ toolCalls: [call] }, { text: 'Written.' })
  phone.write(ANNA, 'write one')
  await expect.poll(() => texts().at(-1), soon).toContain('Question 1')
  const question = phone.reads(ANNA).at(-1)!
  const { workspace } = (await client['session.list']({})).sessions[0]!
  // A stranger whose program presses the button of somebody else's chat.
  const button = telegram.world.rooms.get(ANNA)!.messages.get(question.id)!.message
  telegram.world.tell({
    callback_query: {
      id: 'press-of-mallory',
      from: { id: 666, is_bot: false, first_name: 'Mallory' },
      message: button,
      chat_instance: 'x',
      data: dataOf(button),
    },
  })
  await expect.poll(() => telegram.world.queue.pending(), soon).toBe(0)
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
  const { answer } = phone.press(ANNA, question.id, 'Allow once')
  await expect.poll(() => texts().at(-1), soon).toBe('Written.')
  expect(await answer).toMatchObject({ alert: false })
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one')
  await expect
    .poll(() => phone.reads(ANNA).find(({ id }) => id === question.id), soon)
    .toMatchObject({ buttons: [], edited: true })
  expect(host.mistakes()).toEqual([])
})
