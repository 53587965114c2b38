import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AppEvent } from '../../shared/contract/app.ts'
import type { TableChanges } from '../db/watch-tables.ts'
import { createTopic } from '../lib/topic.ts'
import { openFeed, type Feed } from './open-feed.ts'

const changes = createTopic<TableChanges>()
const commit = (tables: Record<string, string[]>) =>
  changes.publish(new Map(Object.entries(tables).map(([table, ids]) => [table, new Set(ids)])))
let told: AppEvent[]
let chats: string[][]
let feed: Feed

beforeEach(() => {
  vi.useFakeTimers()
  told = []
  chats = []
  feed = openFeed({
    changes,
    chatsOf: id => (id === 'p1' ? ['c8', 'c9'] : []),
    events: { publish: event => void told.push(event) },
  })
  feed.onSessions(ids => chats.push([...ids]))
})
afterEach(() => {
  feed.close()
  vi.useRealTimers()
})

const passMs = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a change is told at once, with the area that windows know it by', async () => {
  commit({ memory_entries: ['m1'], memory_revisions: ['m1'] })
  await passMs(0)
  expect(told).toEqual([{ type: 'changed', areas: ['memory'] }])
})

test('a burst is told once at once and once after it, however many changes it has', async () => {
  for (let each = 0; each < 100; each++) {
    commit({ memory_entries: [`m${each}`] })
    if (each === 0) await passMs(0)
  }
  feed.tell('process')
  await passMs(49)
  expect(told).toHaveLength(1)
  await passMs(1)
  expect(told).toEqual([
    { type: 'changed', areas: ['memory'] },
    { type: 'changed', areas: ['memory', 'process'] },
  ])
  await passMs(1_000)
  expect(told).toHaveLength(2)
})

test('chats are told one by one, also those of a project that changed, and are no event of their own', async () => {
  commit({ sessions: ['c1'], projects: ['p1'] })
  await passMs(0)
  expect(chats).toEqual([['c1', 'c8', 'c9']])
  expect(told).toEqual([{ type: 'changed', areas: ['project'] }])
})

test('after it is closed nothing is told', async () => {
  feed.close()
  commit({ memory_entries: ['m1'] })
  await passMs(100)
  expect(told).toEqual([])
})
