import { expect, test } from 'vitest'
import {
  aHomeToKill,
  BROKEN_OFF,
  killWhileAnswering,
  SECOND_COPY,
} from '../../../testing/gateway/kill-rounds.ts'
import { aHome } from '../../../testing/host/a-host.ts'

// What is left of messages when the process that answers them is killed.

const soon = { timeout: 20_000, interval: 20 }

test('killed between sending and hearing that it was sent: the answer comes once more and says so', async () => {
  using home = aHome()
  await using place = await aHomeToKill(home.path)
  place.server.reply({ text: 'The answer.' })
  const child = await place.start('after send')
  place.phone.writes('hello')
  await child.ended
  expect(place.phone.texts()).toEqual(['The answer.'])
  await using _again = await place.carrying()
  await expect.poll(() => place.phone.texts(), soon).toEqual(['The answer.', SECOND_COPY, 'The answer.'])
  expect(place.server.chats()).toHaveLength(1)
})

test('killed in the middle of a turn: nothing runs again by itself, and that is said', async () => {
  using home = aHome()
  await using place = await aHomeToKill(home.path)
  place.server.reply({ text: ['A ', 'beginning'], after: 2, stallMs: 60_000 })
  const child = await place.start()
  place.phone.writes('hello')
  await expect.poll(() => place.phone.texts().join(), soon).toContain('A beginning')
  await child.kill()
  await using again = await place.carrying()
  await expect.poll(() => place.phone.texts().at(-1), soon).toMatch(BROKEN_OFF)
  expect(place.server.chats()).toHaveLength(1)
  place.server.reply({ text: 'On it goes.' })
  place.phone.writes('go on')
  await expect.poll(() => place.phone.texts().at(-1), soon).toBe('On it goes.')
  expect((await again.client['session.list']({})).sessions).toMatchObject([{ turnCount: 2 }])
})

test('killed at any moment, nothing is lost and nothing runs twice', async () => {
  using home = aHome()
  let n = 1
  const random = () => ((n = (n * 16_807) % 2_147_483_647) % 1_000) / 1_000
  expect(await killWhileAnswering(home.path, 2, random)).toMatchObject({ lost: 0, twice: 0 })
}, 60_000)
