import { expect, test } from 'vitest'
import { aChat, aStore, user } from '../../../../testing/db/a-store.ts'
import { keepIndexed } from './keep-indexed.ts'

const fail = (error: unknown) => {
  throw error
}

test('imported messages are indexed in the background, and then new ones', async () => {
  using store = aStore()
  const say = (text: string) => store.messages.append(user(aChat(store).id, text))
  for (let n = 0; n < 35; n++) say(`apple ${n}`)
  const found = () => store.recall.frequency('apple', 'passages')
  const indexing = keepIndexed(store.recall, { report: fail, quietMs: 0 })
  await indexing.idle()
  expect(found()).toBe(35)
  say('apple again')
  indexing.soon()
  await indexing.idle()
  expect(found()).toBe(36)
  indexing.close()
})

test('indexing ends when it is closed', async () => {
  using store = aStore()
  store.messages.append(user(aChat(store).id, 'apple'))
  const indexing = keepIndexed(store.recall, { report: fail })
  indexing.close()
  await indexing.idle()
  indexing.soon()
  await indexing.idle()
  expect(store.recall.frequency('apple', 'passages')).toBe(0)
})

test('a failing store is reported once', async () => {
  const reported: unknown[] = []
  const broken = { refresh: () => fail(new Error('disk full')) }
  const indexing = keepIndexed(broken, { report: error => reported.push(error), quietMs: 0 })
  await indexing.idle()
  expect(reported).toEqual([new Error('disk full')])
})
