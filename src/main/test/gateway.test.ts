import { expect, test } from 'vitest'
import { aTalkingHost } from '../../../testing/gateway/a-gateway.ts'
import { aHome, slowly } from '../../../testing/host/a-host.ts'

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
