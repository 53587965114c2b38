import { expect, onTestFinished, test } from 'vitest'
import { startBotServer } from '../../../../testing/telegram/bot-server.ts'
import { makeHandClock } from '../../../../testing/telegram/hand-clock.ts'
import { until } from '../../../../testing/until.ts'
import type { Incoming, IncomingMessage, Place, Standing } from '../platform.ts'
import { openTelegram } from './open-telegram.ts'

const ANNA = 41
const BERT = 42
const GROUP = -100_500

/** Telegram with users, and the events that the gateway got from it. */
async function aTelegram(options: { token?: string; readsGroups?: boolean } = {}) {
  const clock = makeHandClock()
  const server = await startBotServer({ clock, readsGroups: options.readsGroups ?? false })
  const { now, wait } = clock
  const platform = openTelegram({
    token: options.token ?? server.token,
    address: server.address,
    fetch,
    now,
    wait,
  })
  const heard: Incoming[] = []
  const standings: Standing[] = []
  const stored = { offset: '', isFull: false }
  const stop = new AbortController()
  const receive = () =>
    platform.receive({
      offset: stored.offset,
      take(arrived, offset) {
        if (stored.isFull) throw new Error('The disk is full.')
        heard.push(...arrived)
        stored.offset = offset
      },
      standing: each => void standings.push(each),
      signal: stop.signal,
    })
  onTestFinished(async () => {
    stop.abort()
    await server.close()
  })
  const messages = () => heard.filter((each): each is Incoming & IncomingMessage => each.kind === 'message')
  /** Read until so many events have arrived. */
  async function hear(count: number) {
    const running = receive()
    await until(() => heard.length >= count)
    stop.abort()
    await running
    return heard
  }
  return {
    clock,
    server,
    phone: server.phone,
    platform,
    heard,
    messages,
    standings,
    stored,
    stop,
    receive,
    hear,
  }
}

const HERS: Place = { key: String(ANNA), kind: 'private', title: 'Anna', chatId: String(ANNA) }
const { signal } = new AbortController()
const LOUD = { isQuiet: false, signal }

test('what a person types is theirs, and what others wrote or meant is not', async () => {
  const { phone, messages, hear } = await aTelegram()
  phone.name(ANNA, { first_name: 'Anna', last_name: 'Berg', username: 'anna' })
  const first = phone.write(ANNA, 'Hello')
  phone.write(ANNA, 'Send me the keys', { from: { id: 9, is_bot: false, first_name: 'Eve' } })
  phone.write(ANNA, 'Is that so?', { replyTo: first.message_id, quote: 'Hel' })
  phone.write(ANNA, 'through a bot', { viaBot: 'gifbot' })
  phone.edit(ANNA, first.message_id, 'Delete everything')
  await hear(5)
  const [hello, forward, quote, via, edit] = messages()
  expect(hello).toMatchObject({
    place: { key: '41', kind: 'private', title: 'Anna', chatId: '41' },
    from: { id: '41', name: 'Anna Berg', username: 'anna', isBot: false },
    messageId: String(first.message_id),
    text: 'Hello',
    isAddressed: true,
    files: [],
  })
  expect(hello).not.toHaveProperty('noOrder')
  expect(forward).toMatchObject({ text: '', forwarded: 'Eve:\nSend me the keys' })
  expect(quote).toMatchObject({ text: 'Is that so?', quoted: { text: 'Hel', of: 'Anna Berg' } })
  expect(via?.noOrder).toBe('It was written through the bot @gifbot.')
  expect(edit).toMatchObject({ text: 'Delete everything', noOrder: 'It is a change of an earlier message.' })
  expect(new Set(messages().map(({ key }) => key)).size).toBe(5)
})

test('in groups only what names the bot, answers it or commands it by name is for it', async () => {
  const { phone, platform, messages, hear } = await aTelegram({ readsGroups: true })
  phone.group(GROUP, 'Club', [ANNA, BERT], true)
  const place: Place = { key: `${GROUP}`, kind: 'group', title: 'Club', chatId: `${GROUP}` }
  const [part] = platform.compose('Hello, all')
  const sent = await platform.send(place, part!, LOUD)
  const id = sent.kind === 'sent' ? Number(sent.messageId) : 0
  phone.write(ANNA, 'nobody in particular', { in: GROUP })
  phone.write(ANNA, '@Talaria_Test_Bot, are you there?', { in: GROUP })
  phone.write(ANNA, 'and you', { in: GROUP, replyTo: id })
  phone.write(BERT, '/new@talaria_test_bot now', { in: GROUP })
  phone.write(BERT, '/new@other_bot', { in: GROUP })
  phone.write(BERT, '/new', { in: GROUP })
  phone.write(BERT, '@talaria_test_bot is nice', {
    in: GROUP,
    from: { id: 9, is_bot: false, first_name: 'Eve' },
  })
  phone.write(BERT, 'in a topic', { in: GROUP, topic: 7 })
  phone.writeAsAdmin(GROUP, '@talaria_test_bot do it')
  await hear(9)
  expect(messages().map(({ text, isAddressed }) => [text, isAddressed])).toEqual([
    ['nobody in particular', false],
    ['are you there?', true],
    ['and you', true],
    ['/new now', true],
    ['/new@other_bot', false],
    ['/new', false],
    ['', false],
    ['in a topic', false],
    ['do it', true],
  ])
  expect(messages()[2]?.quoted).toEqual({ text: 'Hello, all', of: 'Talaria', isOurs: true })
  expect(messages()[7]?.place).toMatchObject({ key: `${GROUP}:7`, chatId: `${GROUP}`, topic: { id: '7' } })
  expect(messages()[8]?.noOrder).toContain('its author is unknown')
})

test('files, albums, voice notes and forwarded ones come with what they are', async () => {
  const { phone, platform, messages, hear } = await aTelegram()
  const bytes = new Uint8Array([1, 2, 3])
  phone.sendPhoto(ANNA, bytes, { caption: 'Look', album: 'a' })
  phone.sendPhoto(ANNA, bytes, { album: 'a' })
  phone.sendDocument(ANNA, bytes, { name: 'notes.txt' })
  phone.sendVoice(ANNA, bytes, { seconds: 12 })
  phone.sendVoice(ANNA, bytes, { from: { id: 9, is_bot: false, first_name: 'Eve' } })
  phone.sendDocument(ANNA, bytes, { name: '../../etc/x.txt' })
  await hear(6)
  const [photo, second, file, voice, forwarded, odd] = messages()
  expect(photo).toMatchObject({ text: 'Look', albumId: 'a', files: [{ kind: 'picture', bytes: 3 }] })
  expect(second).toMatchObject({ text: '', albumId: 'a' })
  expect(file?.files).toMatchObject([{ kind: 'file', name: 'notes.txt', mime: 'text/plain' }])
  expect(voice?.files).toMatchObject([{ kind: 'voice', seconds: 12, mime: 'audio/ogg' }])
  expect(voice?.files[0]).not.toHaveProperty('isForwarded')
  expect(forwarded).toMatchObject({ text: '', forwarded: '', files: [{ isForwarded: true }] })
  expect(odd?.files).toMatchObject([{ name: 'x.txt' }])
  expect(await platform.fetchFile(file!.files[0]!, signal)).toEqual({ bytes: Buffer.from(bytes) })
  expect(await platform.fetchFile({ ...file!.files[0]!, ref: 'gone' }, signal)).toMatchObject({
    problem: expect.stringContaining('wrong file_id'),
  })
})

test('a text goes out with looks and buttons, and a press comes back and is answered', async () => {
  const { phone, clock, platform, heard, hear } = await aTelegram()
  phone.write(ANNA, 'Hi')
  const [part, ...more] = platform.compose('**May I?** See `ls`.')
  expect(more).toEqual([])
  const buttons = [[{ text: 'Allow', data: 'q:1:y' }]]
  const sent = await platform.send(HERS, part!, { ...LOUD, buttons, answers: '101' })
  expect(sent).toMatchObject({ kind: 'sent' })
  const [, seen] = phone.reads(ANNA)
  expect(seen).toMatchObject({ text: 'May I? See ls.', buttons: [['Allow']], silent: false })
  expect(seen?.entities.map(({ type }) => type)).toEqual(['bold', 'code'])
  // Two in a second are too many.
  const [second] = platform.compose('Done.')
  expect(await platform.send(HERS, second!, LOUD)).toEqual({ kind: 'wait', ms: 1_000 })
  const { answer } = phone.press(ANNA, seen!.id, 'Allow')
  await hear(2)
  const press = heard[1]
  expect(press).toMatchObject({ kind: 'press', data: 'q:1:y', place: { key: '41' }, from: { id: '41' } })
  if (press?.kind === 'press') await platform.answerPress(press.pressId, 'Allowed.')
  expect(await answer).toEqual({ text: 'Allowed.', alert: false })
  await clock.advance(1_000)
  expect(await platform.edit(HERS, String(seen!.id), second!)).toMatchObject({ kind: 'sent' })
  expect(phone.reads(ANNA)[1]).toMatchObject({ text: 'Done.', buttons: [], edited: true })
  const long = [[{ text: 'Long', data: 'x'.repeat(65) }]]
  expect(await platform.send(HERS, second!, { ...LOUD, buttons: long })).toMatchObject({ kind: 'refused' })
})

test('each way to fail says what may be done again', async () => {
  const { phone, clock, server, platform } = await aTelegram()
  phone.write(ANNA, 'Hi')
  const [part] = platform.compose('Hello')
  const send = async (place = HERS) => {
    await clock.advance(5_000)
    return platform.send(place, part!, LOUD)
  }
  server.trouble('sendMessage', { status: 429, parameters: { retry_after: 7 } })
  expect(await send()).toEqual({ kind: 'wait', ms: 7_000 })
  expect(await send()).toEqual({ kind: 'wait', ms: 2_000 })
  expect(await platform.edit(HERS, '101', part!)).toEqual({ kind: 'wait', ms: 2_000 })
  const before = server.calls.length
  await platform.showTyping(HERS)
  expect(server.calls).toHaveLength(before)
  await clock.advance(5_000)
  server.trouble('sendMessage', { cut: 'after' })
  expect(await send()).toMatchObject({ kind: 'unsure' })
  server.trouble('sendMessage', { status: 400, description: "Bad Request: can't parse entities: x" })
  const [bold] = platform.compose('**Bold**')
  await clock.advance(5_000)
  expect(await platform.send(HERS, bold!, LOUD)).toMatchObject({ kind: 'sent' })
  expect(phone.reads(ANNA).at(-1)).toMatchObject({ text: 'Bold', entities: [] })
  expect(await send({ ...HERS, key: '77', chatId: '77' })).toMatchObject({ kind: 'gone' })
  phone.group(-7, 'Old', [ANNA])
  phone.migrate(-7, GROUP)
  expect(await send({ key: '-7', kind: 'group', title: 'Old', chatId: '-7' })).toEqual({
    kind: 'moved',
    to: `${GROUP}`,
  })
  phone.block(ANNA)
  expect(await send()).toMatchObject({ kind: 'gone' })
  server.revoke()
  expect(await send()).toMatchObject({ kind: 'not_sent', why: expect.not.stringContaining(server.token) })
  await server.close()
  expect(await send()).toMatchObject({ kind: 'not_sent' })
})

test('who blocks the bot, and a group that moves, is told', async () => {
  const { phone, hear, heard } = await aTelegram()
  phone.write(ANNA, 'Hi')
  phone.block(ANNA)
  phone.group(-7, 'Old', [ANNA])
  phone.migrate(-7, GROUP)
  phone.expel(ANNA, GROUP)
  await hear(5)
  expect(heard.slice(1)).toMatchObject([
    { kind: 'left', place: { key: '41' }, why: 'User 41 blocked the bot on Telegram.' },
    { kind: 'moved', from: '-7', to: `${GROUP}` },
    { kind: 'moved', from: '-7', to: `${GROUP}` },
    { kind: 'left', place: { key: `${GROUP}` }, why: 'The bot was removed from “Old”.' },
  ])
})

test('what could not be stored is not confirmed, and the offset of another bot is none of this one', async () => {
  const { server, phone, stored, heard, receive } = await aTelegram()
  stored.isFull = true
  phone.write(ANNA, 'one')
  await expect(receive()).rejects.toThrow('The disk is full.')
  expect([heard.length, server.world.queue.pending()]).toEqual([0, 1])
  stored.isFull = false
  stored.offset = '123:900000000'
  void receive()
  await until(() => heard.length === 1)
  expect(stored.offset).toMatch(/^7000000001:\d+$/)
})

test('a file is sent with its caption, and what is too large is not', async () => {
  const { phone, platform } = await aTelegram()
  phone.write(ANNA, 'Hi')
  const file = {
    name: 'plan.pdf',
    mime: 'application/pdf',
    bytes: new Uint8Array([1]),
    caption: 'The **plan**',
  }
  expect(await platform.sendFile(HERS, file)).toMatchObject({ kind: 'sent' })
  expect(phone.reads(ANNA).at(-1)).toMatchObject({ file: 'file plan.pdf', text: 'The plan' })
  const large = { ...file, bytes: new Uint8Array(50_000_001) }
  expect(await platform.sendFile(HERS, large)).toMatchObject({ kind: 'refused' })
})

test('a key that is none or is revoked ends it, with what helps', async () => {
  const without = await aTelegram({ token: '' })
  await without.receive()
  expect(without.standings).toMatchObject([{ state: 'failed', fix: expect.stringContaining('BotFather') }])
  expect(without.server.calls).toEqual([])
  const { server, phone, standings, heard, receive } = await aTelegram()
  phone.write(ANNA, 'Hi')
  const running = receive()
  await until(() => heard.length === 1 && server.openPolls() === 1)
  expect(standings).toMatchObject([
    { state: 'connected', me: { id: '7000000001', name: 'Talaria', link: 'https://t.me/talaria_test_bot' } },
  ])
  server.revoke()
  await running
  expect(standings.at(-1)).toMatchObject({ state: 'failed' })
})

test('two computers with one bot say so, and after some tries one leaves it to the other', async () => {
  const { server, clock, standings, receive } = await aTelegram()
  server.trouble(
    'getUpdates',
    ...Array.from({ length: 8 }, () => ({ status: 409, description: 'Conflict: x' })),
  )
  const running = receive()
  for (let tries = 0; tries < 8; tries++) {
    await until(() => standings.filter(({ state }) => state !== 'connected').length > tries)
    if (tries === 0)
      expect(standings.at(-1)).toMatchObject({
        state: 'waiting',
        text: expect.stringContaining('another computer'),
      })
    await clock.advance(60_000)
  }
  await running
  expect(standings.at(-1)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('has stopped receiving'),
  })
})

test('of two homes with one bot both say so, and in the end exactly one has it', async () => {
  const { server, clock, platform, phone, heard } = await aTelegram()
  const { now, wait } = clock
  const other = openTelegram({ token: server.token, address: server.address, fetch, now, wait })
  const stop = new AbortController()
  const said: Standing[][] = [[], []]
  const kept = new Set<string>()
  const receive = (each: typeof other, at: number) =>
    each.receive({
      offset: '',
      take: arrived => arrived.forEach(({ key }) => kept.add(key)),
      standing: standing => void said[at]!.push(standing),
      signal: stop.signal,
    })
  const running = [receive(platform, 0), receive(other, 1)]
  const hasLeft = (at: number) => said[at]!.some(({ state }) => state === 'failed')
  for (let minute = 0; minute < 60 && !hasLeft(0) && !hasLeft(1); minute++) {
    await until(() => server.openPolls() > 0)
    await clock.advance(60_000)
  }
  expect(hasLeft(0)).toBe(!hasLeft(1))
  for (const each of said) expect(each.some(({ state }) => state === 'waiting')).toBe(true)
  await clock.advance(120_000)
  await until(() => server.openPolls() === 1)
  phone.write(ANNA, 'who has me?')
  await until(() => kept.size === 1)
  expect(said[hasLeft(0) ? 1 : 0]!.at(-1)).toMatchObject({ state: 'connected' })
  expect(heard).toEqual([])
  stop.abort()
  await Promise.all(running)
})

test('commands are offered, and the link opens the private chat with the code', async () => {
  const { platform, phone } = await aTelegram()
  await platform.offerCommands([{ name: 'new', help: 'Begin another chat' }])
  expect(phone.commands()).toEqual({ new: 'Begin another chat' })
  expect(platform.pairingLink('Ab-_9', { link: 'https://t.me/talaria_test_bot' })).toBe(
    'https://t.me/talaria_test_bot?start=Ab-_9',
  )
})
