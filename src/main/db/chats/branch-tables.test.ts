import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aChat, aFolder, assistant, aStore, open, textsFound, user } from '../../../../testing/db/a-store.ts'
import { APPLICATION_ID } from '../file/migrate.ts'
import { migrations } from '../migrations/all-migrations.ts'
import type { Store } from '../store.ts'

const textsOf = (store: Store, id: string) =>
  store.messages.page(id, { limit: 500 }).messages.map(({ text }) => text)

/** A chat of two turns, whose ids are 1 to 4. */
function twoTurns(store: Store): string {
  const { id } = aChat(store)
  for (const text of ['one', 'two']) {
    store.messages.append(user(id, text))
    store.messages.append(assistant(id, `${text} answered`))
  }
  return id
}

test('an edit begins a branch, and going back shows what was there, to its end', () => {
  using store = aStore()
  const id = twoTurns(store)
  const asked = store.branches.putBeside(1, user(id, 'other'))
  store.messages.append(assistant(id, 'other answered'))
  expect(textsOf(store, id)).toEqual(['other', 'other answered'])
  expect(store.messages.history(id).map(({ text }) => text)).toEqual(['other', 'other answered'])
  expect(store.sessions.get(id)).toMatchObject({ pathMoves: 1, preview: 'other answered', messageCount: 6 })
  expect(store.branches.goTo(id, 1)).toBe(true)
  expect(textsOf(store, id)).toEqual(['one', 'one answered', 'two', 'two answered'])
  expect(store.branches.goTo(id, 1)).toBe(false)
  store.branches.goTo(id, asked.id)
  expect(textsOf(store, id)).toEqual(['other', 'other answered'])
})

test('a branch is entered where it was left, not where it is newest', () => {
  using store = aStore()
  const id = twoTurns(store)
  store.branches.putBeside(3, user(id, 'newer'))
  store.branches.goTo(id, 3)
  store.branches.putBeside(1, user(id, 'other'))
  store.branches.goTo(id, 1)
  expect(textsOf(store, id).at(-1)).toBe('two answered')
})

test('before the first message there is a path too, and what was left is listed', () => {
  using store = aStore()
  const id = twoTurns(store)
  expect(store.branches.list(id, 100)).toEqual([])
  store.branches.endAt(id, null)
  expect(textsOf(store, id)).toEqual([])
  expect(store.sessions.get(id)?.preview).toBe('')
  expect(store.branches.list(id, 100)).toMatchObject([
    { id: 1, parentId: null, isOnPath: false, below: null },
  ])
  store.messages.append(user(id, 'afresh'))
  expect(store.branches.list(id, 100)).toMatchObject([{ id: 1 }, { id: 5, isOnPath: true }])
})

test('the tree says which branch each one is on, and a limit keeps what is on the path', () => {
  using store = aStore()
  const id = twoTurns(store)
  const ids = Array.from({ length: 30 }, (_, n) => store.branches.putBeside(3, user(id, `try ${n}`)).id)
  store.branches.putBeside(1, user(id, 'other'))
  store.branches.goTo(id, 3)
  const all = store.branches.list(id, 5_000)
  expect(all.map(branch => branch.id)).toEqual([1, 3, ...ids, 35])
  expect(all.filter(branch => branch.below === 1)).toHaveLength(31)
  expect(store.branches.list(id, 4).map(branch => branch.id)).toEqual([1, 3, ids.at(-1), 35])
})

test('an answer without text is told by its first call, with beginnings of its texts', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'look at the heron'))
  const call = { id: 'call_1', name: 'look', arguments: { path: 'x'.repeat(5_000), times: 3 } }
  const wordless = store.messages.append(assistant(id, '', { calls: [call, { ...call, id: 'call_2' }] }))
  store.branches.putBeside(wordless.id, assistant(id, 'It is grey.', { calls: [call] }))
  expect(store.branches.list(id, 10).map(({ text, called }) => [text, called])).toEqual([
    ['', { name: 'look', count: 2, arguments: { path: 'x'.repeat(200) } }],
    ['It is grey.', undefined],
  ])
})

test('a copy has the path up to a message with the results of its calls, and is found again', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const calls = [{ id: 'call_1', name: 'look', arguments: {} }]
  store.messages.append(user(id, 'look at the heron'))
  store.messages.append(assistant(id, '', { calls }))
  const result = { role: 'tool', sessionId: id, at: 1, text: 'grey', callId: 'call_1', name: 'look' } as const
  store.messages.append({ ...result, ok: true, durationMs: 1, record: { decision: 'ran' } })
  store.messages.append(assistant(id, 'It is grey.'))
  store.branches.putBeside(4, assistant(id, 'It is blue.'))
  const copy = await store.branches.copyUpTo(id, 2)
  expect(textsOf(store, copy)).toEqual(['look at the heron', '', 'grey'])
  expect(textsOf(store, await store.branches.copyUpTo(id, 4)).at(-1)).toBe('It is grey.')
  expect(store.sessions.get(copy)).toMatchObject({
    origin: 'window',
    messageCount: 3,
    turnCount: 1,
    title: 'look at the heron',
  })
  store.messages.append(user(copy, 'and the egret'))
  expect(store.branches.get(copy, 13)?.parentId).toBe(8)
  expect(textsFound(store, 'heron')).toHaveLength(3)
  expect(textsOf(store, id).at(-1)).toBe('It is blue.')
})

test('a copy that a crash cut off is removed at the next start', async () => {
  using store = aStore()
  const id = twoTurns(store)
  const stopped = store.branches.copyUpTo(id, 4, () => Promise.reject(new Error('killed')))
  await expect(stopped).rejects.toThrow('killed')
  expect(store.sessions.list({ query: '', limit: 10, offset: 0 }).sessions).toHaveLength(1)
  expect(store.imports.clean()).toBe(true)
  while (store.imports.clean());
  expect(store.sessions.list({ query: '', limit: 10, offset: 0 }).sessions.map(each => each.id)).toEqual([id])
})

test('a summary counts on the branch that it was written on, and anew when one goes back there', () => {
  using store = aStore()
  const id = twoTurns(store)
  const told = {
    sessionId: id,
    at: 1,
    headId: 0,
    by: 'model',
    focus: '',
    tokensBefore: 9,
    tokensAfter: 1,
  } as const
  const more = { useless: 0, modelId: '', byHand: false }
  const first = store.compactions.add({
    ...told,
    ...more,
    upToId: 2,
    prunedToId: 2,
    questionId: 0,
    summary: 'one',
  })
  store.messages.append(user(id, 'three'))
  const second = store.compactions.add({
    ...told,
    ...more,
    upToId: 4,
    prunedToId: 4,
    questionId: 0,
    summary: 'one and two',
  })
  const read = () => store.messages.history(id).map(({ text }) => text)
  expect(read()).toEqual(['three'])
  store.branches.putBeside(3, user(id, 'two, said better'))
  expect(store.compactions.newest(id)).toEqual(first)
  expect(read()).toEqual(['two, said better'])
  expect(store.compactions.list(id).map(each => each.id)).toEqual([first.id])
  store.branches.putBeside(1, user(id, 'one, said better'))
  expect(store.compactions.newest(id)).toBeUndefined()
  expect(read()).toEqual(['one, said better'])
  store.branches.goTo(id, 3)
  expect(store.compactions.newest(id)).toEqual(second)
})

test('the copy of a chat that ran without a person is the person’s own', async () => {
  using store = aStore()
  const parent = aChat(store)
  const child = aChat(store, { origin: 'sub_agent', originId: 'call_1', parentId: parent.id })
  const said = store.messages.append(user(child.id, 'Look.'))
  const copy = store.sessions.get(await store.branches.copyUpTo(child.id, said.id))
  expect(copy).toMatchObject({ origin: 'window', originId: '', parentId: child.id })
})

test('chats of an older home become one path each, and are backed up before', () => {
  using home = aFolder()
  const db = new Database(join(home.path, 'state.db'))
  db.function('fold', { deterministic: true }, text => String(text).toLowerCase())
  const before = migrations.findIndex(sql => sql.includes('path_moves'))
  for (const sql of migrations.slice(0, before)) db.exec(sql)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma(`user_version = ${before}`)
  const chat =
    db.prepare(`insert into sessions (id, source, model, workspace, approval, created_at, updated_at)
    values (?, 'cli', 'builtin', '/desk', 'ask', 1, 1)`)
  const say = db.prepare(
    `insert into messages (session_id, role, content, active, created_at) values (?, 'user', ?, ?, 1)`,
  )
  for (const id of ['chat_a', 'chat_b']) chat.run(id)
  for (let n = 0; n < 6; n++) say.run(n % 2 === 0 ? 'chat_a' : 'chat_b', `said ${n}`, n === 2 ? 0 : 1)
  db.close()
  const { store, notices } = open(home.path)
  expect(notices).toEqual([])
  expect(store.sessions.get('chat_a')).toMatchObject({ origin: 'terminal', originId: '', parentId: null })
  expect(textsOf(store, 'chat_a')).toEqual(['said 0', 'said 4'])
  expect([1, 3, 5].map(id => store.branches.get('chat_a', id)?.parentId)).toEqual([null, 1, 1])
  expect([2, 4, 6].map(id => store.branches.get('chat_b', id)?.parentId)).toEqual([null, 2, 4])
  expect(store.branches.list('chat_a', 9).map(each => each.id)).toEqual([3, 5])
  store.close()
  const copy = new Database(join(home.path, 'backups', readdirSync(join(home.path, 'backups'))[0]!), {
    readonly: true,
  })
  expect(copy.pragma('user_version', { simple: true })).toBe(before)
  copy.close()
})
