import { expect, test } from 'vitest'
import { aChat, assistant, aStore, user } from '../../../testing/db/a-store.ts'
import { scriptedEngine } from '../../../testing/models/scripted.ts'
import { compactHistory } from '../agent/compaction/compact-history.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { Config } from '../config/schema.ts'
import type { Store } from '../db/store.ts'
import { historyOf, readForSummary } from './compact-chat.ts'

const MESSAGES = 1_200
const CONTEXT = 4_096

function aLongChat(store: Store): string {
  const { id } = aChat(store)
  for (let n = 0; n < MESSAGES / 2; n++) {
    store.messages.append(user(id, `Question ${n}: what is in room ${n * 7}?`))
    store.messages.append(assistant(id, `Answer ${n}: in room ${n * 7} there is a table.`))
  }
  return id
}

/** The same store, which records the rows of each history read and counts the turns of the event loop. */
function watched(store: Store) {
  const reads: number[] = []
  const loop = { turns: 0, stop: () => clearImmediate(next) }
  const count = () => {
    loop.turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const history: Store['messages']['history'] = (...asked) => {
    const rows = store.messages.history(...asked)
    reads.push(rows.length)
    return rows
  }
  return { reads, loop, store: { ...store, messages: { ...store.messages, history } } }
}

function compact(store: Store, sessionId: string, byHand: boolean) {
  const engine = scriptedEngine({ replies: ['No summary.'], contextTokens: CONTEXT, strategy: 'structured' })
  const asker = { engine, system: 'You help.', contextTokens: CONTEXT, tools: [], sessionId }
  return compactHistory(
    { ...asker, strategy: structuredStrategy },
    {
      messages: () => historyOf(store, sessionId, 0, Number.MAX_SAFE_INTEGER),
      newest: () => store.compactions.newest(sessionId),
      recent: most => store.compactions.recent(sessionId, most),
      keep: compaction => store.compactions.add({ ...compaction, sessionId }),
      emit: () => {},
      flush: () => {},
      now: () => 1,
    },
    { ...Config.parse({}).compaction, byHand, focus: '' },
    new AbortController().signal,
  )
}

test('a long history is read in parts, between which others get their turn, and is whole', async () => {
  using plain = aStore()
  const id = aLongChat(plain)
  const { reads, loop, store } = watched(plain)
  expect(await historyOf(store, id, 0, Number.MAX_SAFE_INTEGER)).toEqual(plain.messages.history(id))
  expect(reads).toEqual([500, 500, 200])
  expect(loop.turns).toBeGreaterThanOrEqual(reads.length - 1)
  expect(await historyOf(store, id, 0, 700)).toEqual(plain.messages.history(id, { most: 700 }))
  const since = plain.messages.page(id, { limit: 600 }).messages[0]!.id
  expect(await historyOf(store, id, since, 10_000)).toEqual(plain.messages.history(id, { since }))
  loop.stop()
})

test('a compaction of a long chat lets others have their turn, and the next one reads from its mark on', async () => {
  using plain = aStore()
  const id = aLongChat(plain)
  const { reads, loop, store } = watched(plain)
  expect(await compact(store, id, false)).toBe('compacted')
  expect(reads).toEqual([500, 500, 200])
  // Two turns while it is read, and at least six while the summary is written.
  expect(loop.turns).toBeGreaterThanOrEqual(8)
  const { headId, upToId } = plain.compactions.newest(id)!
  const { messages } = plain.messages.page(id, { limit: MESSAGES })
  const kept = messages.filter(message => message.id <= headId || message.id > upToId)
  expect(plain.messages.history(id)).toEqual(kept)
  expect(kept.length).toBeLessThan(MESSAGES / 4)

  reads.length = 0
  expect(await compact(store, id, false)).toBe('enough')
  expect(reads).toEqual([kept.length])
  loop.stop()
})

test('of a very long chat a compaction sees the beginning and the newest, and stays in order', async () => {
  using store = aStore()
  const id = aLongChat(store)
  const all = store.messages.history(id)
  expect(await readForSummary(store, id, MESSAGES)).toEqual(all)
  expect(await readForSummary(store, id, MESSAGES - 20)).toEqual(all)
  expect(await readForSummary(store, id, 100)).toEqual([...all.slice(0, 50), ...all.slice(-100)])
  const [first, second] = all
  const summary = {
    headId: second!.id,
    upToId: all.at(-201)!.id,
    questionId: 0,
    summary: '## Done\n- A lot.',
  }
  const rest = { at: 1, prunedToId: 0, by: 'local' as const, focus: '', tokensBefore: 1, tokensAfter: 1 }
  const by = { useless: 0, modelId: 'a', byHand: false, marks: [] }
  store.compactions.add({ ...summary, ...rest, ...by, sessionId: id })
  expect(await readForSummary(store, id, 100)).toEqual([first, second, ...all.slice(-100)])
})
