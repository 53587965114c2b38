import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aGatewayHost, aTalkingHost } from '../../../testing/gateway/a-gateway.ts'
import { aPhone } from '../../../testing/gateway/folder-platform.ts'
import { SECOND_COPY } from '../../../testing/gateway/kill-rounds.ts'
import { aSmallDisk } from '../../../testing/crash/small-disk.ts'
import { aHome, aServer, transcript } from '../../../testing/host/a-host.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import type { SendResult } from './platform.ts'

// Failures on the way to a messenger, and what the user sees of them.

const soon = { timeout: 15_000, interval: 10 }
const HOUR = 60 * 60_000

/** Answers of a messenger that replace the usual one, each given once. */
const once = (...results: SendResult[]) => {
  const left = [...results]
  return () => left.shift()
}

test('what a messenger asks to wait for is sent after the wait, once', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, {
    kind: { faults: { before: once({ kind: 'wait', ms: 80 }) } },
  })
  host.server.reply({ text: 'Late.' })
  host.phone.writes('hello')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Late.'])
})

test('what may have arrived is sent once more and says so; what is unsure then stays, until the person decides', async () => {
  using home = aHome()
  const unsure = { kind: 'unsure', why: 'The connection broke off.' } as const
  await using host = await aTalkingHost(home.path, {
    kind: { faults: { after: once(unsure, { kind: 'sent', messageId: '2' }, unsure) } },
  })
  host.server.reply({ text: 'Perhaps.' })
  host.phone.writes('hello')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Perhaps.', SECOND_COPY, 'Perhaps.'])
  await expect
    .poll(async () => (await host.client['gateway.state']({})).items, soon)
    .toMatchObject([
      { way: 'out', state: 'unsure', problem: 'The connection broke off.', beginning: 'Perhaps.' },
    ])
  const [item] = (await host.client['gateway.state']({})).items
  await host.client['gateway.item']({ way: 'out', id: item!.id, what: 'drop' })
  expect((await host.client['gateway.state']({})).items).toEqual([])
})

test('what is refused is seen, and can be tried again', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, {
    kind: { faults: { before: once({ kind: 'refused', why: 'The text is empty.' }) } },
  })
  host.server.reply({ text: 'Mine.' })
  host.phone.writes('hello')
  await expect
    .poll(async () => (await host.client['gateway.state']({})).items, soon)
    .toMatchObject([{ way: 'out', state: 'failed', problem: 'The text is empty.', place: 'Ada' }])
  const [item] = (await host.client['gateway.state']({})).items
  await host.client['gateway.item']({ way: 'out', id: item!.id, what: 'again' })
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Mine.'])
})

test('a chat that moved is answered at its new place, in the same chat', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, {
    kind: { faults: { before: once({ kind: 'moved', to: '-1007' }) } },
  })
  host.server.reply({ text: 'Found you.' })
  host.phone.writes('hello')
  const moved = aPhone(host.folder, { id: '7', name: 'Ada' }, { key: '-1007', chatId: '-1007' })
  await expect.poll(() => moved.texts(), soon).toEqual(['Found you.'])
  moved.writes('still me')
  await expect.poll(() => moved.texts(), soon).toEqual(['Found you.', 'Found you.'])
  expect((await host.client['session.list']({})).sessions).toMatchObject([{ turnCount: 2 }])
})

test('what was written long before it arrived is asked about, not done; only its writer decides', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { people: { 7: {}, 8: { relation: 'other' } } })
  host.server.reply({ text: 'Done now.' })
  host.phone.writes('delete everything', { at: Date.now() - 6 * HOUR })
  host.phone.writes('/stop', { at: Date.now() - 6 * HOUR })
  await expect.poll(() => host.phone.texts().length, soon).toBe(2)
  expect(host.phone.texts().toSorted()).toEqual([
    'You wrote /stop 6 hours ago. Nothing was done.',
    'You wrote this about 6 hours ago, while I was not there: “delete everything”.\n\nShall I do it now?',
  ])
  expect(host.server.chats()).toEqual([])
  expect((await host.client['gateway.state']({})).items).toMatchObject([{ way: 'in', state: 'asks' }])
  const data = host.phone.sees().find(({ buttons }) => buttons.length > 0)!.buttons[0]!.data
  const other = aPhone(host.folder, { id: '8', name: 'Bob' })
  other.arrive(n => ({
    kind: 'press',
    key: n,
    place: host.phone.place,
    from: other.sender,
    pressId: n,
    messageId: '1',
    data,
  }))
  await expect.poll(() => host.phone.told(), soon).toEqual(['Only the person who wrote this can decide it.'])
  host.phone.presses('Yes, do it now')
  await expect.poll(() => host.phone.texts().at(-1), soon).toBe('Done now.')
  host.phone.presses('Yes, do it now')
  await expect.poll(() => host.phone.told().at(-1), soon).toBe('This was already decided.')
  expect(host.server.chats()).toHaveLength(1)
})

test('what arrived while Talaria was off is found at the next start and asked about', async () => {
  using home = aHome()
  const clock = { ahead: 0 }
  const now = () => Date.now() + clock.ahead
  const first = await aTalkingHost(home.path, { now })
  const { phone, server } = first
  await first.close()
  phone.writes('good night')
  clock.ahead = 9 * HOUR
  await using _host = await aGatewayHost(home.path, { now })
  await expect.poll(() => phone.texts(), soon).toHaveLength(1)
  expect(phone.texts()[0]).toMatch(/^You wrote this about 9 hours ago/)
  phone.presses('No, drop it')
  await expect.poll(() => phone.told(), soon).toEqual(['It was dropped.'])
  expect(server.chats()).toEqual([])
  await server[Symbol.asyncDispose]()
})

test('the offline lock stops the messenger and says so; without it, it goes on where it was', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  const state = async () => (await host.client['gateway.state']({})).platforms[0]!
  await host.client['network.lock']({ locked: true })
  await expect.poll(async () => (await state()).state, soon).toBe('locked')
  expect((await state()).text).toMatch(/^The offline lock is on, so Talaria ne/)
  host.server.reply({ text: 'Back.' })
  host.phone.writes('hello?')
  await new Promise(resolve => setTimeout(resolve, 60))
  expect(host.phone.confirmed()).toBe('')
  await host.client['network.lock']({ locked: false })
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Back.'])
})

test('two homes with one messenger: the second says so and takes nothing', async () => {
  using one = aHome()
  using two = aHome()
  await using first = await aTalkingHost(one.path)
  await using second = await aGatewayHost(two.path)
  await using server = await aServer(second.client)
  const { folderKind } = await import('../../../testing/gateway/folder-platform.ts')
  const { letIn } = await import('../../../testing/gateway/let-in.ts')
  const { aHost } = await import('../../../testing/host/a-host.ts')
  await second.close()
  await using other = await aHost(two.path, {
    gateway: { platforms: [folderKind(first.folder)], rights: needs => letIn({ 7: {} }, needs), joinMs: 10 },
  })
  await other.client['gateway.connect']({ platform: 'folder' })
  const { platforms } = await other.client['gateway.state']({})
  expect(platforms).toMatchObject([{ state: 'waiting', text: 'Another Talaria reads this messenger.' }])
  first.server.reply({ text: 'From the first.' })
  first.phone.writes('hello')
  await expect.poll(() => first.phone.texts(), soon).toEqual(['From the first.'])
  expect(server.chats()).toEqual([])
})

test('at four o’clock the chat ends with its review, which is said once', async () => {
  using home = aHome()
  const clock = { now: Date.parse('2026-11-22T22:00:00Z') }
  await using host = await aTalkingHost(home.path, { now: () => clock.now, zone: () => 'Europe/Berlin' })
  const at = () => ({ at: clock.now })
  host.server.reply({ text: 'Good evening.' })
  host.phone.writes('hello', at())
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Good evening.'])
  clock.now += 6 * HOUR
  host.server.reply({ text: 'Good morning.' })
  host.phone.writes('again', at())
  await expect.poll(() => host.phone.texts().length, soon).toBe(3)
  expect(host.phone.texts().slice(1).toSorted()).toEqual([
    'Good morning.',
    '_This is a new chat: a new day began at 4:00. The last one is kept in Talaria, and what lasts of it may be remembered._',
  ])
  host.phone.writes('and again', at())
  await expect.poll(() => host.phone.texts().length, soon).toBe(4)
  expect(
    (await host.client['session.list']({})).sessions.reduce((sum, { turnCount }) => sum + turnCount, 0),
  ).toBe(3)
})

test('send_file sends only what the folder of the chat holds or what is attached, after a card, and says when it arrived', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { coreTools: true, people: { 7: { rights: 'ask' } } })
  const last = () => host.phone.texts().at(-1)
  host.server.reply({ text: 'Hello.' })
  host.phone.writes('hello')
  await expect.poll(last, soon).toBe('Hello.')
  const [session] = (await host.client['session.list']({})).sessions
  writeFileSync(join(session!.workspace, 'plan.txt'), 'The plan.')
  const sends = (path: string) => [
    { toolCalls: [{ name: 'send_file', arguments: { path } }] },
    { text: 'Over.' },
  ]
  host.server.reply(...sends('plan.txt'))
  host.phone.writes('send me the plan')
  await expect.poll(last, soon).toBe('May I? Send plan.txt to Ada (Folder messenger)')
  host.phone.presses('Allow')
  await expect.poll(last, soon).toBe('Over.')
  expect(host.phone.sees().find(({ file }) => file !== undefined)).toMatchObject({ file: 'plan.txt' })
  host.server.reply(...sends('/etc/hostname'))
  host.phone.writes('send me the other')
  await expect.poll(() => host.phone.texts().filter(text => text === 'Over.').length, soon).toBe(2)
  expect(host.phone.sees().filter(({ file }) => file !== undefined)).toHaveLength(1)
  const { messages } = await host.client['session.messages']({ id: session!.id })
  expect(messages.filter(({ role }) => role === 'tool').map(({ text }) => text)).toEqual([
    'Sent plan.txt to Ada (Folder messenger).',
    expect.stringContaining('is not in the folder of this chat'),
  ])
  // A chat of the window does not have this tool.
  const own = await host.client['session.create']({})
  host.server.reply({ text: 'Here.' })
  await host.client['chat.send']({ sessionId: own.id, text: 'hello' })
  await expect.poll(() => host.server.chats().at(-1)!.body.messages.at(-1).content, soon).toContain('hello')
  expect(JSON.stringify(host.server.chats().at(-1)!.body.tools)).not.toContain('send_file')
})

test('a text to a contact says whether it arrived; keys in it are blacked out', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  host.server.reply({ text: 'Hello.' })
  await expect(host.client['gateway.send']({ contactId: 'contact_7', text: 'hi' })).rejects.toThrow(
    /has to write first/,
  )
  host.phone.writes('hello')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Hello.'])
  const text = `The key is ghp_${'a1B2'.repeat(10)}.`
  expect(await host.client['gateway.send']({ contactId: 'contact_7', text })).toEqual({
    state: 'sent',
    problem: '',
  })
  expect(host.phone.texts().at(-1)).not.toContain('a1B2a1B2')
})

test('a schedule that was made on the messenger answers there', async () => {
  using home = aHome()
  const clock = { now: Date.parse('2026-11-22T12:00:00Z') }
  await using host = await aTalkingHost(home.path, {
    coreTools: true,
    now: () => clock.now,
    zone: () => 'Europe/Berlin',
  })
  host.phone.writes('/schedule every day at 8 say good morning', { at: clock.now })
  await expect.poll(() => host.phone.texts(), soon).toHaveLength(1)
  expect(host.phone.texts()[0]).toMatch(/^Planned: Say good morning, every day at 08:00/)
  const [schedule] = (await host.client['schedule.list']({})).schedules
  expect(schedule).toMatchObject({ deliver: 'messenger', mode: 'none' })
  host.server.reply({ text: 'Good morning, Ada.' })
  clock.now = Date.parse('2026-11-23T07:00:30Z')
  host.host.lookAtClock()
  await expect.poll(() => host.phone.texts().at(-1), soon).toBe('**Say good morning**\n\nGood morning, Ada.')
})

const disk = aSmallDisk(1)
const whyNot = isRefusal(disk) ? disk.refused : undefined
if ('path' in disk) disk[Symbol.dispose]()
if (whyNot !== undefined) console.warn(`Not tried on a full disk: ${whyNot}.`)

test.skipIf(whyNot !== undefined)(
  'on a full disk nothing is confirmed that is not stored, and all is answered once there is room',
  async () => {
    using home = aHome()
    const small = aSmallDisk(24)
    if (isRefusal(small)) return
    using place = small
    const inside = join(place.path, 'home')
    mkdirSync(inside)
    await using host = await aTalkingHost(inside, { folder: join(home.path, 'messenger') })
    host.server.reply({ text: 'One.' })
    host.phone.writes('first')
    await expect.poll(() => host.phone.texts(), soon).toEqual(['One.'])
    place.leave(0)
    const long = 'word '.repeat(20_000)
    for (const n of [1, 2, 3]) host.phone.writes(`message-${n}- ${long}`)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(host.phone.confirmed()).toBe('000001.json')
    place.leave(12_000_000)
    host.server.reply({ text: 'All read.' })
    await expect.poll(() => host.phone.texts().at(-1), soon).toBe('All read.')
    const [session] = (await host.client['session.list']({})).sessions
    const said = (await transcript(host, session!.id)).join()
    for (const n of [1, 2, 3]) expect(said.split(`message-${n}-`)).toHaveLength(2)
  },
)
