import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from './store.ts'
import type { UsageRow } from './ledger-tables.ts'
import type { Store } from './store.ts'
import { giveDatabase } from '../../../testing/db/give-database.ts'

let home: string
let store: Store
const open = () =>
  openStore(home, {
    clock: Date.now,
    report(error) {
      throw error
    },
  }).store

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ledger-'))
  giveDatabase(home)
  store = open()
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const request = (host: string, changes: object = {}) => ({
  at: 1,
  host,
  purpose: 'chat' as const,
  subject: 'Qwen',
  nearby: false,
  state: 'running' as const,
  ...changes,
})

test('requests are listed newest first, in pages, and summed up by host', () => {
  const first = store.network.begin(request('a.example'))
  store.network.end(first, { state: 'done', sentBytes: 10, receivedBytes: 20, ms: 3 })
  store.network.begin(request('a.example', { at: 5, purpose: 'download', state: 'blocked' }))
  const last = store.network.begin(request('127.0.0.1:11434', { at: 9, nearby: true }))
  store.network.end(last, { state: 'failed', sentBytes: 1, receivedBytes: null, ms: 4 })
  expect(store.network.list(Number.MAX_SAFE_INTEGER, 2).map(({ host, state }) => [host, state])).toEqual([
    ['127.0.0.1:11434', 'failed'],
    ['a.example', 'blocked'],
  ])
  expect(store.network.list(2, 5)).toMatchObject([{ id: first, sentBytes: 10, receivedBytes: 20, ms: 3 }])
  expect(store.network.hosts()).toEqual([
    {
      host: '127.0.0.1:11434',
      nearby: true,
      purposes: ['chat'],
      requests: 1,
      blocked: 0,
      sentBytes: 1,
      receivedBytes: 0,
      firstAt: 9,
      lastAt: 9,
    },
    {
      host: 'a.example',
      nearby: false,
      purposes: ['chat', 'download'],
      requests: 2,
      blocked: 1,
      sentBytes: 10,
      receivedBytes: 20,
      firstAt: 1,
      lastAt: 5,
    },
  ])
})

test('requests running at the last exit count as failed, and clearing keeps running ones', () => {
  store.network.begin(request('a.example'))
  store.close()
  store = open()
  expect(store.network.list(99, 9).map(each => each.state)).toEqual(['failed'])
  store.network.begin(request('b.example'))
  store.network.clear()
  expect(store.network.list(99, 9).map(each => each.host)).toEqual(['b.example'])
})

const answer = (changes: Partial<UsageRow> = {}): UsageRow => ({
  at: new Date(2026, 10, 20, 12).getTime(),
  sessionId: 's1',
  modelId: 'm1',
  modelName: 'Qwen',
  kind: 'chat',
  promptTokens: 100,
  cachedTokens: 60,
  outputTokens: 10,
  ms: 1_000,
  costUsd: null,
  ...changes,
})

test('usage is summed up by day, model, chat and kind; without a price there is no cost', () => {
  const day = 86_400_000
  store.usage.add(answer())
  store.usage.add(answer({ at: answer().at + day, costUsd: 0.5, modelId: 'm2', modelName: 'Claude' }))
  store.usage.add(answer({ at: answer().at + day, kind: 'question', sessionId: 'ask-1' }))
  const { total, days, models, chats, kinds } = store.usage.read({})
  expect(total).toEqual({
    answers: 3,
    promptTokens: 300,
    cachedTokens: 180,
    outputTokens: 30,
    ms: 3_000,
    costUsd: 0.5,
  })
  expect(days.map(({ day: name, answers, costUsd }) => [name, answers, costUsd])).toEqual([
    ['2026-11-20', 1, null],
    ['2026-11-21', 2, 0.5],
  ])
  expect(models.map(({ modelId, name, answers }) => [modelId, name, answers])).toEqual([
    ['m1', 'Qwen', 2],
    ['m2', 'Claude', 1],
  ])
  // Single questions belong to no chat.
  expect(chats.map(({ sessionId, title, answers }) => [sessionId, title, answers])).toEqual([['s1', '', 2]])
  expect(kinds.map(({ kind, answers }) => [kind, answers])).toEqual([
    ['chat', 2],
    ['question', 1],
  ])
})

test('usage can be limited to a range and a chat, and an empty result is zero', () => {
  store.usage.add(answer())
  store.usage.add(answer({ sessionId: 's2' }))
  expect(store.usage.read({ sessionId: 's2' }).total.answers).toBe(1)
  expect(store.usage.read({ from: answer().at + 1 }).total).toEqual({
    answers: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    ms: 0,
    costUsd: null,
  })
})
