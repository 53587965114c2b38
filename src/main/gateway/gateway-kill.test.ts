import { expect, test } from 'vitest'
import { aHomeToKill, BROKEN_OFF, SECOND_COPY } from '../../../testing/gateway/kill-rounds.ts'
import { aHome } from '../../../testing/host/a-host.ts'

// Messages whose answering process ends. `npm run test:long -- gateway` kills one 200 times at any moment.

const soon = { timeout: 20_000, interval: 20 }

test('killed once an answer had left, it comes once more and says so; ended in a turn, nothing runs again and that is said', async () => {
  using home = aHome()
  await using place = await aHomeToKill(home.path)
  const { phone, server } = place
  server.reply({ text: 'The answer.' })
  const killed = await place.start('after send')
  phone.writes('hello')
  await killed.ended
  expect(phone.texts()).toEqual(['The answer.'])

  server.reply({ text: ['A ', 'beginning'], after: 2, stallMs: 60_000 })
  const ended = await place.carrying()
  await expect.poll(() => phone.texts(), soon).toEqual(['The answer.', SECOND_COPY, 'The answer.'])
  expect(server.chats()).toHaveLength(1)
  phone.writes('and more')
  // The last word is held back while it is being written.
  await expect.poll(() => phone.texts().at(-1), soon).toMatch(/^A\b/)
  await ended.close()

  await using again = await place.carrying()
  await expect.poll(() => phone.texts().at(-1), soon).toMatch(BROKEN_OFF)
  expect(server.chats()).toHaveLength(2)
  server.reply({ text: 'On it goes.' })
  phone.writes('go on')
  await expect.poll(() => phone.texts().at(-1), soon).toBe('On it goes.')
  expect((await again.client['session.list']({})).sessions).toMatchObject([{ turnCount: 3 }])
}, 60_000)
