import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openConnection } from '../connection.ts'
import {
  aChat,
  aFolder,
  assistant,
  aStore,
  open,
  textsFound,
  toolResult,
  user,
} from '../../../../testing/db/a-store.ts'
import { migrateDatabase } from '../file/migrate.ts'
import { migrations } from '../migrations/all-migrations.ts'
import type { Store } from '../store.ts'

const DAY = 86_400_000
const refreshed = (store: Store) => store.recall.refresh(1_000)

function passagesFound(store: Store, match: string) {
  refreshed(store)
  const within = store.recall.range('passages') ?? { first: 0, last: 0 }
  return store.recall.passages(match, { within, limit: 10 })
}

/** Change the database in a way that Talaria never does. */
function meddle(home: string, sql: string) {
  const db = new Database(join(home, 'state.db'))
  db.exec(sql)
  db.close()
}

test('the indexes follow changed and deleted messages', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'alpha'))
  store.messages.append(user(id, 'beta'))
  refreshed(store)
  meddle(
    store.home,
    `update messages set content = 'gamma' where content = 'alpha';
    delete from messages where content = 'beta';
    insert into messages_search (messages_search, rank) values ('integrity-check', 1)`,
  )
  expect(['alpha', 'beta', 'gamma'].map(word => textsFound(store, word))).toEqual([[], [], ['gamma']])
  expect(['alpha', 'beta', 'gamma'].map(word => passagesFound(store, word).length)).toEqual([0, 0, 1])
})

test('a removed chat is not found until it is restored', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'apple pie'))
  refreshed(store)
  const counts = () => [
    textsFound(store, 'apple').length,
    passagesFound(store, 'apple').length,
    store.recall.literal('apple', 5).length,
  ]
  store.sessions.remove(id)
  expect(counts()).toEqual([0, 0, 0])
  store.sessions.restore(id)
  expect(counts()).toEqual([1, 1, 1])
})

test('a long chat has several passages, and a new message makes only the last one stale', () => {
  using store = aStore()
  const { id } = aChat(store)
  for (let n = 0; n < 130; n++) store.messages.append(user(id, `apple ${n}`))
  expect([refreshed(store), refreshed(store)]).toEqual([3, 0])
  store.messages.append(user(id, 'pear'))
  expect([
    store.recall.refresh(10),
    passagesFound(store, 'apple').length,
    passagesFound(store, 'pear').length,
  ]).toEqual([1, 3, 1])
})

test('an import is indexed step by step, newest first, and its messages are found at once', () => {
  using store = aStore()
  const chats = ['old', 'new'].map(name => {
    const { id } = aChat(store)
    store.messages.append(user(id, `the ${name} plan`))
    return id
  })
  const found = () => store.recall.passages('plan', { within: store.recall.range('passages')!, limit: 5 })
  expect([found(), textsFound(store, 'plan').length]).toEqual([[], 2])
  expect([store.recall.refresh(1), found().map(each => each.sessionId)]).toEqual([1, [chats[1]]])
})

test('a title is found with the first passage, and a new title replaces it', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'hello'))
  store.sessions.update(id, { title: 'Garden party' })
  expect(passagesFound(store, 'garden')).toHaveLength(1)
  store.sessions.update(id, { title: 'Birthday' })
  expect([passagesFound(store, 'garden').length, passagesFound(store, 'birthday').length]).toEqual([0, 1])
})

test('windows are read per chat, even if the chats’ messages alternate', () => {
  using store = aStore()
  const [a, b] = [aChat(store).id, aChat(store).id]
  for (let n = 0; n < 6; n++)
    for (const id of [a, b]) store.messages.append(user(id, `${id === a ? 'a' : 'b'}${n}`))
  const ids = store.recall.literal('a3', 1).concat(store.recall.literal('b0', 1))
  expect(store.recall.windows(ids, 1).map(message => message.text)).toEqual(['a2', 'a3', 'a4', 'b0', 'b1'])
  expect(store.recall.windows(ids, 0).map(message => message.text)).toEqual(['a3', 'b0'])
  expect(store.recall.ends(a, 2).map(message => message.text)).toEqual(['a0', 'a1', 'a4', 'a5'])
})

test.for([
  [{ role: 'tool' }, ['apple tool']],
  [{ origin: 'terminal' }, ['apple cli']],
  [{ from: 2 * DAY, to: 3 * DAY }, ['apple day 2']],
  [{ from: 9 * DAY }, []],
] as const)('the filter %j finds %j', ([filter, expected]) => {
  using store = aStore(() => 10_000)
  const { id } = aChat(store)
  store.messages.append(user(id, 'apple day 2', 2 * DAY))
  store.messages.append({ ...toolResult(id, 'apple tool'), at: 4 * DAY })
  store.messages.append(user(aChat(store, { origin: 'terminal' }).id, 'apple cli', DAY))
  const within = store.recall.rangeOf(filter)
  const ids = within ? store.recall.messages('apple', { within, limit: 9, filter }) : []
  expect(ids.map(each => store.recall.around(each, 0)[0]?.text)).toEqual(expected)
})

test('each chat has a root, even in a cycle or below a removed chat', () => {
  using store = aStore()
  const [root, child, grandchild, one, two] = Array.from({ length: 5 }, () => aChat(store).id)
  const parent = (id: string, of: string) =>
    `update sessions set parent_session_id = '${of}' where id = '${id}';`
  meddle(
    store.home,
    [parent(child!, root!), parent(grandchild!, child!), parent(one!, two!), parent(two!, one!)].join(''),
  )
  const roots = () => [...store.recall.roots([root!, child!, grandchild!, one!]).values()]
  expect(roots()).toEqual([root, root, root, one])
  store.sessions.remove(root!)
  expect(roots()).toEqual([root, child, child, one])
})

test('in a script without spaces, letters are found wherever they are', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(assistant(id, '私は日本語を話します。東京に住んでいます。'))
  expect(['日本', '京に', '"猫"*'].map(match => passagesFound(store, match).length)).toEqual([1, 1, 0])
  expect(passagesFound(store, '"す"*')).toHaveLength(1)
})

test('a database of the previous version gets passages for all its messages', () => {
  using home = aFolder()
  const connection = openConnection(join(home.path, 'state.db'))
  migrateDatabase(connection, home.path, 0, migrations.slice(0, 2))
  connection.db.exec(`
    insert into sessions (id, source, model, workspace, approval, created_at, updated_at)
      values ('chat_a', 'window', 'm', '/', 'ask', 0, 0), ('chat_b', 'window', 'm', '/', 'ask', 0, 0);
    with recursive n (n) as (select 1 union all select n + 1 from n where n < 200)
    insert into messages (session_id, role, content, created_at)
      select case when n % 2 = 0 then 'chat_a' else 'chat_b' end, case when n % 10 = 0 then 'tool' else 'user' end,
        'message ' || n, 0 from n;`)
  connection.db.close()
  const { store, notices } = open(home.path)
  expect([notices, refreshed(store)]).toEqual([[], 4])
  expect([passagesFound(store, 'message').length, textsFound(store, 'message').length]).toEqual([4, 200])
  store.messages.append(user('chat_a', 'one more'))
  expect(passagesFound(store, '"one more"').map(each => each.sessionId)).toEqual(['chat_a'])
  store.close()
})
