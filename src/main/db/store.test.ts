import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openConnection } from './connection.ts'
import {
  aChat,
  aClock,
  aFolder,
  aStore,
  open,
  textsFound,
  toolResult,
  user,
} from '../../../testing/db/a-store.ts'
import { guardMethods } from './file/damage.ts'
import { makeVersion1 } from '../../../testing/db/version-1.ts'
import { createMessages } from './chats/message-tables.ts'
import { migrateDatabase, VERSION } from './file/migrate.ts'
import { migrations } from './migrations/all-migrations.ts'
import { openStore } from './store.ts'

const backups = (home: string) =>
  existsSync(join(home, 'backups')) ? readdirSync(join(home, 'backups')).toSorted() : []
const MESSAGES = 12
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** A home whose database holds a chat and was closed properly. */
function aHome(words = 'hello') {
  const folder = aFolder()
  const { store } = open(folder.path)
  const { id } = aChat(store)
  for (let n = 0; n < MESSAGES; n += 1)
    store.messages.append(user(id, `${words} ${n} ${'filler '.repeat(1_300)}`))
  store.close()
  return Object.assign(folder, { db: join(folder.path, 'state.db'), chat: id })
}

/** Write garbage over a part of a file. */
function damage(path: string, from: number, to: number) {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, to)
  writeFileSync(path, bytes)
  return bytes
}

/** Empty the database of a home that holds a memory. */
function emptied(path: string) {
  truncateSync(path)
  mkdirSync(join(dirname(path), 'memories'))
  writeFileSync(join(dirname(path), 'memories/USER.md'), 'Likes tea.')
}

test('the database and its write-ahead log are private', () => {
  using store = aStore()
  aChat(store)
  expect(['state.db', 'state.db-wal', 'state.db-shm'].map(name => modeOf(join(store.home, name)))).toEqual([
    '600',
    '600',
    '600',
  ])
})

test('everything is still there after a restart', () => {
  using home = aHome()
  const { store, notices } = open(home.path)
  const { sessions } = store.sessions.list({ query: '', limit: 5, offset: 0 })
  expect([sessions[0]?.title.slice(0, 7), store.messages.history(home.chat).length, notices]).toEqual([
    'hello 0',
    MESSAGES,
    [],
  ])
  store.close()
})

test('an older database is copied, then migrated with all its content', () => {
  using home = aFolder()
  makeVersion1(home.path)
  const { store, notices } = open(home.path)
  expect(notices).toEqual([])
  expect(textsFound(store, 'capital')).toEqual(['Paris is the capital.', 'What is the capital of France?'])
  expect(store.messages.history('chat_old').map(message => message.text)).toHaveLength(2)
  store.close()

  const [name] = backups(home.path)
  const copy = join(home.path, 'backups', name ?? '')
  expect([backups(home.path).length, name, modeOf(copy)]).toEqual([
    1,
    expect.stringMatching(/^state-v1-\d{8}T\d{6}\.db$/),
    '600',
  ])
  const old = new Database(copy)
  expect([
    old.pragma('user_version', { simple: true }),
    old.prepare('select count(*) from messages').pluck().get(),
  ]).toEqual([1, 2])
  old.close()
})

test('a failed migration changes nothing, and the copy exists', () => {
  using home = aHome()
  const connection = openConnection(home.db)
  const broken = [...migrations, 'create table half (x); create table sessions (x);']
  expect(() => migrateDatabase(connection, home.path, 0, broken)).toThrow('already exists')
  expect(connection.db.pragma('user_version', { simple: true })).toBe(VERSION)
  expect(connection.db.prepare(`select count(*) from sqlite_schema where name = 'half'`).pluck().get()).toBe(
    0,
  )
  expect(backups(home.path)).toEqual([`state-v${VERSION}-19700101T000000.db`])
  connection.db.close()
})

test('the last five copies are kept', () => {
  using home = aFolder()
  for (let n = 0; n < 7; n += 1) {
    rmSync(join(home.path, 'state.db'), { force: true })
    makeVersion1(home.path)
    open(home.path, () => n * 86_400_000).store.close()
  }
  expect(backups(home.path)).toEqual(
    [3, 4, 5, 6, 7].map(day => `state-v1-197001${String(day).padStart(2, '0')}T000000.db`),
  )
})

test('a database of a newer version is refused and left unchanged', () => {
  using home = aHome()
  const db = new Database(home.db)
  db.pragma('user_version = 99')
  db.close()
  const before = readFileSync(home.db)
  expect(() => open(home.path)).toThrow(/was written by a newer Talaria \(its version is 99.*Update Talaria/)
  expect(readFileSync(home.db).equals(before)).toBe(true)
})

test.for([
  [
    'text',
    (path: string): void => writeFileSync(path, 'this is not a database, only text that lies in its place'),
  ],
  ['a broken header', (path: string): void => void damage(path, 0, 100)],
  ['broken pages', (path: string): void => void damage(path, 8_192, 60_000)],
  [
    'the first half of it',
    (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, 20_000)),
  ],
  ['empty, in a home that was used', (path: string): void => emptied(path)],
  [
    'without a single table, in a home that was used',
    (path: string): void => {
      emptied(path)
      new Database(path).exec('create table x (x); drop table x').close()
    },
  ],
  [
    'without one of its tables',
    (path: string): void => void new Database(path).exec('drop table messages').close(),
  ],
  [
    'without one of its columns',
    (path: string): void =>
      void new Database(path)
        .exec('drop trigger messages_attach; alter table messages drop column attached')
        .close(),
  ],
  [
    'the database of another program',
    (path: string): void => {
      rmSync(path)
      new Database(path).exec('create table notes (text)').close()
    },
  ],
] as const)(
  'a database that is %s is copied once, left unchanged, and replaced by a temporary one',
  ([, spoil]) => {
    using home = aHome()
    spoil(home.db)
    const before = readFileSync(home.db)

    const { store, notices } = open(home.path)
    aChat(store)
    store.close()
    const again = open(home.path)
    expect(again.store.sessions.list({ query: '', limit: 5, offset: 0 }).sessions).toHaveLength(1)
    again.store.close()

    expect(notices).toEqual([
      {
        id: 'store-damaged-state.db',
        level: 'error',
        text: expect.stringMatching(/state\.db cannot be read \(.+\)\. It was left unchanged/),
        fix: expect.stringContaining(join(home.path, 'backups', 'damaged-')),
      },
    ])
    expect(again.notices).toEqual(notices)
    expect(readFileSync(home.db).equals(before)).toBe(true)
    const copies = backups(home.path).filter(name => name.endsWith('state.db'))
    expect(copies).toHaveLength(1)
    expect(readFileSync(join(home.path, 'backups', copies[0] ?? '')).equals(before)).toBe(true)
  },
)

test('a database damaged before its log was written back is left unchanged too', () => {
  using home = aHome()
  using copy = aFolder()
  const { store } = open(home.path)
  store.messages.append(user(home.chat, 'in the log only'))
  // As after a power cut: with a log that has content.
  for (const name of ['state.db', 'state.db-wal']) cpSync(join(home.path, name), join(copy.path, name))
  store.close()
  const before = damage(join(copy.path, 'state.db'), 8_192, 60_000)
  const opened = open(copy.path)
  opened.store.close()
  expect(opened.notices).toHaveLength(1)
  expect(readFileSync(join(copy.path, 'state.db')).equals(before)).toBe(true)
  expect(backups(copy.path)).toEqual([
    expect.stringMatching(/state\.db$/),
    expect.stringMatching(/state\.db-wal$/),
  ])
})

test('if the replacement database is damaged too, the next one is used', () => {
  using home = aHome()
  writeFileSync(home.db, 'x'.repeat(5_000))
  writeFileSync(join(home.path, 'state.safe.db'), 'x'.repeat(5_000))
  const { store, notices } = open(home.path)
  store.close()
  expect(notices.map(notice => notice.id)).toEqual(['store-damaged-state.db', 'store-damaged-state.safe.db'])
  expect(existsSync(join(home.path, 'state.safe-2.db'))).toBe(true)
})

test('once the damaged database is repaired, a notice says where the chats from the meantime are', () => {
  using home = aHome()
  const sound = readFileSync(home.db)
  writeFileSync(home.db, 'x'.repeat(5_000))
  open(home.path).store.close()
  writeFileSync(home.db, sound)
  const { store, notices } = open(home.path)
  expect(store.messages.history(home.chat)).toHaveLength(MESSAGES)
  store.close()
  expect(notices).toEqual([
    {
      id: 'store-safe',
      level: 'info',
      text: expect.stringContaining('state.safe.db'),
      fix: expect.any(String),
    },
  ])
})

test('a damaged word index is rebuilt and no chat is lost', () => {
  using home = aHome('needle')
  const db = new Database(home.db)
  db.unsafeMode()
  db.prepare(`update messages_search_data set block = zeroblob(40) where id > 10`).run()
  db.close()
  const { store, notices } = open(home.path)
  expect(notices.map(notice => notice.id)).toEqual(['store-index'])
  expect(textsFound(store, 'needle')).toHaveLength(MESSAGES)
  store.messages.append(toolResult(home.chat, 'more'))
  store.close()
  expect(open(home.path).notices).toEqual([])
})

test('a damaged passage index is rebuilt too', () => {
  using home = aHome('needle')
  const opened = open(home.path)
  opened.store.recall.refresh(10)
  opened.store.close()
  const db = new Database(home.db)
  db.unsafeMode()
  db.prepare(`update passages_search_data set block = zeroblob(40) where id > 10`).run()
  db.close()
  const { store, notices } = open(home.path)
  expect(notices.map(notice => notice.id)).toEqual(['store-index'])
  expect(store.recall.refresh(10)).toBe(1)
  const within = store.recall.range('passages') ?? { first: 0, last: 0 }
  expect(store.recall.passages('needle', { within, limit: 5 })).toHaveLength(1)
  store.close()
  expect(open(home.path).notices).toEqual([])
})

test('damage found during work is reported, and the next start checks the whole file', () => {
  using home = aHome()
  const { store } = open(home.path)
  const db = new Database(home.db)
  db.unsafeMode()
  db.prepare('update messages_search_data set block = zeroblob(40) where id > 10').run()
  db.close()
  expect(() => textsFound(store, 'hello')).toThrow(/state\.db is damaged. Restart Talaria/)
  expect(existsSync(`${home.db}.check`)).toBe(true)
  store.close()
  const { store: again, notices } = open(home.path)
  expect([notices.map(notice => notice.id), existsSync(`${home.db}.check`)]).toEqual([['store-index'], false])
  again.close()
})

test('a folder in place of the database is reported', () => {
  using home = aFolder()
  mkdirSync(join(home.path, 'state.db'))
  const reported: unknown[] = []
  const { store, notices } = openStore(home.path, { clock: aClock(), report: error => reported.push(error) })
  store.close()
  expect(reported).toHaveLength(1)
  expect(notices[0]).toMatchObject({
    text: expect.stringContaining('it is not a file'),
    fix: expect.stringContaining('No copy could be made'),
  })
})

test('a missing folder is reported', () => {
  using home = aFolder()
  expect(() => open(join(home.path, 'none'))).toThrow(/none cannot be used: its folder does not exist/)
})

test.skipIf(process.platform === 'win32')('a folder that is not writable is reported', () => {
  using home = aHome()
  chmodSync(home.path, 0o555)
  // Root is never denied access, so run as nobody for a moment.
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    expect(() => open(home.path)).toThrow(/not writable/)
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(home.path, 0o700)
  }
})

test('a full disk is reported, and existing data stays', () => {
  using home = aHome()
  const connection = openConnection(home.db)
  const messages = guardMethods(createMessages(connection), home.db, () => {})
  connection.db.pragma(`max_page_count = ${Number(connection.db.pragma('page_count', { simple: true }))}`)
  const long = user(home.chat, 'x'.repeat(500_000))
  expect(() => messages.append(long)).toThrow(/the disk is full. Free some space/)
  expect(messages.history(home.chat)).toHaveLength(MESSAGES)
  connection.db.close()
})
