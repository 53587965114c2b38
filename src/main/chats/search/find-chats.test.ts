import { expect, test } from 'vitest'
import { searchHere } from '../../../../testing/chats/search-here.ts'
import { aChat, assistant, aStore, user } from '../../../../testing/db/a-store.ts'
import type { Store } from '../../db/store.ts'
import { findBest } from './find-best.ts'
import { searchChats, formatResults } from './find-chats.ts'

const AT = new Date(2026, 2, 5, 12).getTime()

function aLongChat(store: Store, text: string, length = 40) {
  const { id } = aChat(store)
  for (let n = 0; n < length; n++)
    store.messages.append(n === 20 ? user(id, text, AT) : assistant(id, `filler ${n}`, { at: AT }))
  return id
}

const tell = (store: Store, query: string) =>
  formatResults(findBest(searchHere(store), { query }, { messages: 1, reach: 5 }))

test('a result shows the text around the match', () => {
  using store = aStore()
  const id = aLongChat(store, 'Where is the needle?')
  store.sessions.update(id, { title: 'Sewing' })
  const filler = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => `  assistant (${from + n + 1}): filler ${from + n}`)
  expect(
    tell(store, 'needle')
      .split('\n')
      .map(line => line.replace(/^→ assistant/, '  assistant')),
  ).toEqual([
    `## Sewing, 2026-03-05 (session_id ${id})`,
    ...filler(15, 19),
    '→ user (21): Where is the needle?',
    ...filler(21, 25),
  ])
})

test('the answer has a limit, whatever the chats contain', () => {
  using store = aStore()
  for (let n = 0; n < 8; n++) {
    const { id } = aChat(store)
    for (let m = 0; m < 30; m++)
      store.messages.append(user(id, `${'hay '.repeat(3_000)} needle ${'hay '.repeat(500)}`, AT))
  }
  const text = tell(store, 'needle')
  expect(text.length).toBeLessThan(40_000)
  expect(text).toContain('needle')
})

test('an answer without results says so, and names a query of common words only', () => {
  using store = aStore()
  expect(tell(store, 'needle')).toMatch(/^Nothing was found/)
  aLongChat(store, 'It is in the hay.')
  expect(tell(store, 'where is the needle')).toMatch(/^None of the words that tell something was found/)
})

test('the user sees passages with their matches marked, also in titles', () => {
  using store = aStore()
  const id = aLongChat(store, `${'hay '.repeat(200)}The needles are here. ${'hay '.repeat(200)}`)
  store.sessions.update(id, { title: 'About a needle' })
  const search = (query: string) => searchChats(searchHere(store), { query }, 5)
  const [hit] = search('needle')
  expect(hit).toMatchObject({ sessionId: id, title: 'About a needle', titleMarks: [[8, 14]] })
  expect(hit?.passages).toHaveLength(1)
  const { text, marks, messageId } = hit!.passages[0]!
  expect([text.length <= 282, marks.map(([from, to]) => text.slice(from, to)), messageId]).toEqual([
    true,
    ['needles'],
    21,
  ])
  expect(search('where is the xyzzy')).toEqual([])
})

test('of a chat with many matches no more messages are read than are shown', () => {
  using store = aStore()
  const { id } = aChat(store)
  for (let n = 0; n < 10; n++) store.messages.append(user(id, `The needle ${n}`, AT))
  const here = searchHere(store)
  const read: number[] = []
  const around = (message: number, reach: number) => {
    read.push(message)
    return store.recall.around(message, reach)
  }
  const counting = { ...here, store: { sessions: store.sessions, recall: { ...store.recall, around } } }
  const [hit] = searchChats(counting, { query: 'needle' }, 5)
  expect(hit?.passages.map(({ messageId }) => messageId)).toEqual(read)
  expect(read).toHaveLength(3)
})

test('a chat found only by its title has no passages', () => {
  using store = aStore()
  const id = aLongChat(store, 'hello')
  store.sessions.update(id, { title: 'Garden party' })
  expect(searchChats(searchHere(store), { query: 'garden' }, 5)).toEqual([
    {
      sessionId: id,
      origin: 'window',
      title: 'Garden party',
      titleMarks: [[0, 6]],
      updatedAt: expect.any(Number),
      passages: [],
    },
  ])
})

test('a person finds what schedules and sub-agents said too, and no more than three runs of a schedule before the rest', () => {
  using store = aStore()
  const say = (text: string, given: Parameters<typeof aChat>[1] = {}) => {
    const { id } = aChat(store, given)
    store.messages.append(user(id, text))
    return id
  }
  const own = say('I planted aubergines along with many other things that nobody needs to know now.')
  const run = () => say('aubergines', { origin: 'schedule', originId: 'schedule_1' })
  const runs = Array.from({ length: 5 }, run)
  const agent = say('Find aubergines.', { origin: 'sub_agent', parentId: own })
  const search = (limit: number) => searchChats(searchHere(store), { query: 'aubergines' }, limit)
  const origins = search(10).map(({ origin }) => origin)
  expect(origins.slice(0, 5).toSorted()).toEqual(['schedule', 'schedule', 'schedule', 'sub_agent', 'window'])
  expect(origins.slice(5)).toEqual(['schedule', 'schedule'])
  const ids = search(10).map(({ sessionId }) => sessionId)
  expect(ids.toSorted()).toEqual([own, agent, ...runs].toSorted())
  expect(search(4)).toHaveLength(4)
})
