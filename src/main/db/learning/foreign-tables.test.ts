import { expect, test } from 'vitest'
import { aStore } from '../../../../testing/db/a-store.ts'
import type { NewForeignEvent } from './foreign-tables.ts'

const session = { id: 'pi:s', agent: 'pi', folder: '/work', model: '', isImported: false }
const said = (eventId: string, text: string, at = 1): NewForeignEvent => ({
  eventId,
  event: { type: 'user_message', session: 'pi:s', at, text },
})
const ended = (at: number): NewForeignEvent => ({
  eventId: `end ${at}`,
  event: { type: 'session_end', session: 'pi:s', at },
})

test('a session takes so many events and no more, and its end is still seen', () => {
  using store = aStore()
  const all = Array.from({ length: 20_050 }, (_, n) => said(`e${n}`, `${n}`, n + 1))
  expect(store.foreign.add(session, all)).toBe(20_000)
  expect(store.foreign.add(session, [ended(90_000)])).toBe(0)
  expect(store.foreign.get('pi:s')).toMatchObject({ endedAt: 90_000 })
  expect(store.foreign.totals()).toMatchObject([{ events: 20_000 }])
})

test('a session takes so many bytes and no more', () => {
  using store = aStore()
  const long = 'x'.repeat(399_900)
  const added = store.foreign.add(
    session,
    Array.from({ length: 60 }, (_, n) => said(`e${n}`, long)),
  )
  expect(added).toBe(50)
  expect(store.foreign.totals()[0]!.bytes).toBeLessThanOrEqual(20_000_000)
})

test('a session that ended and goes on is open again', () => {
  using store = aStore()
  store.foreign.add(session, [said('a', 'one', 10), ended(20)])
  expect(store.foreign.get('pi:s')).toMatchObject({ firstAt: 10, lastAt: 20, endedAt: 20 })
  store.foreign.add(session, [said('b', 'two', 30)])
  expect(store.foreign.get('pi:s')).toMatchObject({ lastAt: 30, endedAt: null })
})

test('a session that is to go goes whole, in slices, and no other one', () => {
  using store = aStore()
  for (const [n, id] of ['old', 'older', 'new'].entries())
    store.foreign.add(
      { ...session, id },
      Array.from({ length: 450 }, (_, e) => said(`e${e}`, 'word '.repeat(20), [200, 100, 300][n])),
    )
  const all = store.foreign.totals()[0]!.bytes
  let slices = 0
  const left = () => store.foreign.list({ limit: 9 }).map(({ id }) => id)
  const prune = (mostBytes: number, before: number) => {
    while (!store.foreign.prune({ mostBytes, before })) slices++
    return left()
  }
  expect(prune(all, 0)).toEqual(['new', 'old', 'older'])
  // Only a little of the oldest session is too much, but it is removed completely.
  expect(prune(all - 10, 0)).toEqual(['new', 'old'])
  expect(slices).toBe(4)
  expect(prune(all, 250)).toEqual(['new'])
  expect(store.foreign.totals()).toMatchObject([{ sessions: 1, events: 450 }])
})

test('a text is forgotten in every event that holds it, also as JSON writes it', () => {
  using store = aStore()
  const name = 'Ada “the first”\nand "only"'
  store.foreign.add(session, [
    said('a', `She is ${name}.`),
    {
      eventId: 'b',
      event: {
        type: 'tool_result',
        session: 'pi:s',
        at: 1,
        name: 'x',
        ok: true,
        text: '',
        arguments: { who: name },
      },
    },
    said('c', 'Ada'),
  ])
  store.foreign.forget([name])
  expect(store.foreign.events('pi:s').map(({ eventId }) => eventId)).toEqual(['c'])
})
