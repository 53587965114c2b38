import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aTalkingHost } from '../../../testing/gateway/a-gateway.ts'
import { aPhone } from '../../../testing/gateway/folder-platform.ts'
import { aHome, slowly, transcript } from '../../../testing/host/a-host.ts'

// Messengers through a whole host: what is written on a phone is answered there, from a chat of this computer.

const soon = { timeout: 15_000, interval: 10 }

test('what the user writes on a messenger is answered there, in a chat that the window shows', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  host.server.reply({ text: 'Hello **Ada**.' })
  host.phone.writes('hello')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Hello **Ada**.'])
  const { sessions } = await host.client['session.list']({})
  expect(sessions).toMatchObject([{ origin: 'messenger', originId: 'contact_7', turnCount: 1 }])
  expect(host.phone.isTyping()).toBe(true)
  const state = await host.client['gateway.state']({})
  expect(state).toMatchObject({ platforms: [{ state: 'connected', waitingIn: 0, waitingOut: 0 }], items: [] })

  host.server.reply({ text: 'Still here.' })
  host.phone.writes('and now?')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Hello **Ada**.', 'Still here.'])
  expect((await host.client['session.list']({})).sessions).toMatchObject([{ turnCount: 2 }])
  expect(host.mistakes()).toEqual([])
})

test('a long answer grows by edits and ends as it is stored', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  host.server.reply(slowly(120, 4))
  host.phone.writes('tell me much')
  await expect.poll(() => host.phone.texts().join(''), soon).toContain('w119')
  const [session] = (await host.client['session.list']({})).sessions
  const { messages } = await host.client['session.messages']({ id: session!.id })
  await expect.poll(() => host.phone.texts().join(''), soon).toBe(messages.at(-1)!.text)
  expect(host.phone.sees()[0]!.edits).toBeGreaterThan(2)
})

test('what arrives again is heard once, and nothing is confirmed before it is stored', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  host.server.reply({ text: 'Once.' })
  const n = host.phone.writes('hello')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Once.'])
  host.phone.replays(n)
  host.phone.replays(n)
  await expect.poll(() => host.phone.confirmed(), soon).toBe('000003.json')
  host.phone.writes('another')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Once.', 'Once.'])
  expect(host.server.chats()).toHaveLength(2)
})

test('a stranger gets no answer and leaves nothing here', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  const stranger = aPhone(host.folder, { id: '666', name: 'Mallory' })
  stranger.writes('hello')
  await expect.poll(() => stranger.confirmed(), soon).toBe('000001.json')
  expect(stranger.texts()).toEqual([])
  expect((await host.client['gateway.state']({})).items).toEqual([])
  expect((await host.client['session.list']({})).sessions).toEqual([])
})

test('messages that come together are one message, with their files', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { joinMs: 300 })
  host.server.reply({ text: 'Read.' })
  host.phone.writes('first')
  host.phone.writes('second', { albumId: 'a', files: [host.phone.file('notes.txt', Buffer.from('A note.'))] })
  host.phone.writes('', { files: [{ ...host.phone.file('v.ogg', Buffer.from('x'), 'voice'), seconds: 12 }] })
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Read.'])
  const [session] = (await host.client['session.list']({})).sessions
  const { messages } = await host.client['session.messages']({ id: session!.id })
  expect(messages[0]).toMatchObject({
    text: 'first\nsecond\n\n(a voice note of 0:12, which cannot be heard or seen here.)',
    attachments: [{ name: 'notes.txt' }],
  })
})

test('a message during a turn steers it, and /stop ends it at once', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  const gate = Promise.withResolvers<void>()
  host.server.reply(
    { toolCalls: [{ name: 'look', arguments: { what: 'sky' } }], halts: [{ after: 0, until: gate.promise }] },
    { text: 'Both done.' },
    { text: ['It ', 'goes '], stallMs: 60_000, after: 2 },
  )
  host.phone.writes('look at the sky')
  await expect.poll(() => host.server.chats().length, soon).toBe(1)
  host.phone.writes('and at the sea')
  await expect.poll(() => host.phone.confirmed(), soon).toBe('000002.json')
  await new Promise(resolve => setTimeout(resolve, 60))
  gate.resolve()
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Both done.'])
  const [session] = (await host.client['session.list']({})).sessions
  expect((await transcript(host, session!.id)).slice(0, 4)).toMatchObject([
    'user: look at the sky',
    'assistant: look(sky)',
    'result: sky is blue.',
    'user: and at the sea',
  ])

  host.phone.writes('go on for long')
  await expect.poll(() => host.phone.texts().at(-1), soon).toContain('It')
  host.phone.writes('/stop')
  await expect.poll(() => host.phone.texts().at(-1), soon).toBe('_Stopped._')
  expect((await host.client['session.get']({ id: session!.id })).activeRunId).toBeNull()
  expect(host.mistakes()).toEqual([])
})

test('commands: a new chat, what is going on, another model, going back', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path)
  const last = () => host.phone.texts().at(-1)
  host.phone.writes('/status')
  await expect.poll(last, soon).toMatch(/^There is no chat here yet/)
  host.server.reply({ text: 'One.' })
  host.phone.writes('first')
  await expect.poll(last, soon).toBe('One.')
  host.phone.writes('/undo')
  await expect.poll(last, soon).toMatch(/^Undone: “first”/)
  host.phone.writes('/new')
  await expect.poll(last, soon).toMatch(/^A new chat begins\. The last one is kept/)
  host.phone.writes('second')
  await expect.poll(last, soon).toBe('One.')
  expect((await host.client['session.list']({})).sessions).toHaveLength(2)
  host.phone.writes('/model')
  await expect.poll(last, soon).toContain('This chat uses Test server.')
  host.phone.writes('/model nothing like it')
  await expect.poll(last, soon).toMatch(/^There is no model called/)
  host.phone.writes('/help')
  await expect.poll(() => host.phone.texts().join('\n'), soon).toContain('/stop – stop at once')
  host.phone.writes('/unknown is only text')
  await expect
    .poll(() => host.server.chats().at(-1)!.body.messages.at(-1).content, soon)
    .toContain('/unknown')
})

test('a chat on a messenger works in an empty folder of its own, and what would ask is denied', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { people: { 7: {}, 8: { relation: 'other' } } })
  host.server.reply({ toolCalls: [{ name: 'note', arguments: { text: 'x' } }] }, { text: 'Not allowed.' })
  host.phone.writes('note x')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['Not allowed.'])
  const [session] = (await host.client['session.list']({})).sessions
  expect(readdirSync(session!.workspace)).toEqual([])
  expect(session!.workspace.startsWith(join(home.path, 'messenger'))).toBe(true)
  expect((await transcript(host, session!.id)).find(line => line.startsWith('result:'))).toMatch(
    /denied|not allowed/i,
  )

  const other = aPhone(host.folder, { id: '8', name: 'Bob' })
  host.server.reply({ text: 'Hello Bob.' })
  other.writes('hello')
  await expect.poll(() => other.texts(), soon).toEqual(['Hello Bob.'])
  expect(host.phone.texts()).toEqual(['Not allowed.'])
  const { sessions } = await host.client['session.list']({})
  expect(sessions.map(({ origin }) => origin).toSorted()).toEqual(['messenger', 'messenger_other'])
})

test('who may be asked is asked on the phone, and the answer there counts', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { people: { 7: { rights: 'ask' } } })
  host.server.reply({ toolCalls: [{ name: 'note', arguments: { text: 'x' } }] }, { text: 'Noted it.' })
  host.phone.writes('note x')
  await expect.poll(() => host.phone.texts(), soon).toEqual(['May I? Note x'])
  host.phone.presses('Allow')
  await expect.poll(() => host.phone.texts().at(-1), soon).toBe('Noted it.')
  expect(host.phone.told()).toEqual(['Done.'])
})
