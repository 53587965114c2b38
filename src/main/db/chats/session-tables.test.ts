import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Session } from '../../../shared/contract/chats/session.ts'
import {
  aChat,
  aClock,
  aFolder,
  assistant,
  aStore,
  toolResult,
  user,
} from '../../../../testing/db/a-store.ts'
import { openConnection } from '../connection.ts'
import { migrateDatabase } from '../file/migrate.ts'
import { createSessions } from './session-tables.ts'
import type { Store } from '../store.ts'

const titles = (store: Store, query = '', page: { limit?: number; offset?: number } = {}) =>
  store.sessions.list({ query, limit: 50, offset: 0, ...page }).sessions.map(session => session.title)

const titled = (store: Store, title: string, at?: number) => {
  const { id } = aChat(store)
  store.messages.append(user(id, title, at))
  return id
}

test('a new chat is empty, has its creation time and fits the contract', () => {
  using store = aStore(() => 1_800_000_000_000)
  const chat = aChat(store, { origin: 'terminal', approval: 'none' })
  expect(Session.parse(chat)).toEqual({
    id: expect.stringMatching(/^chat_/),
    title: '',
    preview: '',
    modelId: 'builtin',
    workspace: '/desk',
    approval: 'none',
    pinned: false,
    archived: false,
    draft: '',
    toolsets: {},
    personality: '',
    projectId: null,
    instructions: '',
    sampling: {},
    decider: null,
    turnCount: 0,
    origin: 'terminal',
    originId: '',
    parentId: null,
    onlyTools: [],
    messageCount: 0,
    createdAt: 1_800_000_000_000,
    updatedAt: 1_800_000_000_000,
    activeRunId: null,
    lastRunId: null,
    pathMoves: 0,
    waiting: false,
  })
})

test('a chat takes its title from the first message and its preview from the last readable one', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'List the files\nin this folder', 1_900_000_000_000))
  store.messages.append(assistant(id, '', { calls: [{ id: 'c', name: 'list_files', arguments: {} }] }))
  store.messages.append(toolResult(id, 'a.txt'))
  store.messages.append(assistant(id, 'There is **one** file.'))
  store.messages.append(assistant(id, ''))
  expect(store.sessions.get(id)).toMatchObject({
    title: 'List the files',
    preview: 'There is **one** file.',
    messageCount: 5,
    updatedAt: 1_900_000_000_000,
  })
})

test('a title given by the user stays', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.sessions.update(id, { title: 'Mine' })
  store.messages.append(user(id, 'Hello'))
  expect(store.sessions.get(id)?.title).toBe('Mine')
})

test('a change sets only the given fields and does not reorder the list', () => {
  using store = aStore()
  const chat = aChat(store)
  const change = {
    modelId: 'other',
    workspace: '/else',
    approval: 'full',
    pinned: true,
    draft: 'half a tho',
  } as const
  expect(store.sessions.update(chat.id, change)).toEqual({ ...chat, ...change })
  expect(store.sessions.update(chat.id, { pinned: false, draft: '' })).toEqual({
    ...chat,
    ...change,
    pinned: false,
    draft: '',
  })
  expect(store.sessions.update('chat_none', { draft: 'x' })).toBeUndefined()
})

test('a message sets the draft in the same step, and an older draft save is ignored', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.sessions.update(id, { draft: 'Hello', draftAfter: 0 })
  store.messages.append(user(id, 'Hello'), 'and more')
  expect(store.sessions.get(id)).toMatchObject({ draft: 'and more', turnCount: 1 })
  expect(store.sessions.update(id, { draft: 'Hello', draftAfter: 0, pinned: true })).toMatchObject({
    draft: 'and more',
    pinned: true,
  })
  store.messages.append(assistant(id, 'Good morning.'))
  expect(store.sessions.update(id, { draft: 'Thanks', draftAfter: 1 })).toMatchObject({ draft: 'Thanks' })
  // A terminal does not know the draft in a window.
  store.messages.append(user(id, 'From the terminal'))
  expect(store.sessions.get(id)).toMatchObject({ draft: 'Thanks', turnCount: 2 })
})

test('the list has pinned chats first, then the newest, in pages', () => {
  using store = aStore()
  const old = titled(store, 'old', 1_900_000_000_000)
  titled(store, 'newest', 1_900_000_000_003)
  titled(store, 'middle', 1_900_000_000_002)
  store.sessions.update(old, { pinned: true })
  expect(titles(store)).toEqual(['old', 'newest', 'middle'])
  expect(titles(store, '', { limit: 1, offset: 1 })).toEqual(['newest'])
  expect(store.sessions.list({ query: '', limit: 2, offset: 0 }).more).toBe(true)
  expect(store.sessions.list({ query: '', limit: 2, offset: 1 }).more).toBe(false)
})

test('the titles of all chats that hold something are listed, the newest first', () => {
  using store = aStore()
  const old = titled(store, 'Old', 1_900_000_000_000)
  const archived = titled(store, 'Archived', 1_900_000_000_001)
  store.sessions.update(archived, { archived: true })
  const draft = aChat(store)
  store.sessions.update(draft.id, { draft: 'half a' })
  aChat(store)
  store.sessions.remove(titled(store, 'Removed', 1_900_000_000_002))
  const titles = store.sessions.titles(9)
  expect(titles.map(({ id, archived }) => [id, archived])).toEqual([
    [archived, true],
    [old, false],
    [draft.id, false],
  ])
  expect(store.sessions.titles(1)).toEqual(titles.slice(0, 1))
})

test('an archived chat leaves the list, is found by search, and a new question brings it back', () => {
  using store = aStore()
  const { id } = store.sessions.update(titled(store, 'Garden plans'), { archived: true })!
  titled(store, 'Rent')
  const listed = (archived: 'without' | 'only' | 'also', query = '') =>
    store.sessions.list({ query, limit: 50, offset: 0, archived }).sessions.map(({ title }) => title)
  expect([listed('without'), listed('only'), listed('also')]).toEqual([
    ['Rent'],
    ['Garden plans'],
    ['Rent', 'Garden plans'],
  ])
  expect([listed('also', 'garden'), listed('without', 'garden')]).toEqual([['Garden plans'], []])
  store.messages.append(assistant(id, 'Still there.'))
  expect(store.sessions.get(id)?.archived).toBe(true)
  store.messages.append(user(id, 'And the roses?'))
  expect(store.sessions.get(id)?.archived).toBe(false)
})

test.for([{ archived: true }, { pinned: true }, { removed: true }] as const)(
  'many chats are changed in one go: %j, and the opposite for those it changed undoes it',
  change => {
    using store = aStore()
    const [first, second, third] = ['one', 'two', 'three'].map(title => titled(store, title)) as [
      string,
      string,
      string,
    ]
    const state = () => JSON.stringify(store.sessions.list({ query: '', limit: 9, offset: 0 }))
    store.sessions.changeAll([third], change)
    const before = state()
    const changed = store.sessions.changeAll([first, second, third, 'chat_none', first], change)
    expect(changed.toSorted()).toEqual([first, second].toSorted())
    expect(state()).not.toBe(before)
    const [name] = Object.keys(change) as ['pinned']
    expect(store.sessions.changeAll(changed, { [name]: false })).toHaveLength(2)
    expect(state()).toBe(before)
  },
)

test('a removed chat is gone until it is restored with its messages', () => {
  using store = aStore()
  const id = titled(store, 'keep me')
  const before = store.sessions.get(id)
  expect([store.sessions.remove(id), store.sessions.remove(id), store.sessions.remove('chat_none')]).toEqual([
    true,
    false,
    false,
  ])
  expect([store.sessions.get(id), titles(store), titles(store, 'keep')]).toEqual([undefined, [], []])
  expect(store.sessions.update(id, { title: 'x' })).toBeUndefined()
  expect([store.sessions.restore(id), store.sessions.restore('chat_none')]).toEqual([before, undefined])
  expect(store.messages.history(id)).toHaveLength(1)
})

test.for([
  ['rust', ['Learning Rust', 'Über Bäume']],
  ['RUST bor', ['Learning Rust']],
  ['rust cake', []],
  ['über', ['Über Bäume']],
  ['"lifetimes of"', ['Über Bäume']],
  ['本語', ['Japanese']],
  ['🦀', ['Learning Rust']],
  ['50%', ['Sale']],
  ['S%e', []],
  ['Hauptstrasse', ['Swiss']],
  ['hauptstr', ['Swiss']],
  ['GRÖSSE hauptstraße', ['Swiss']],
  ['Groesse', ['Swiss']],
  ['tromso', ['Swiss']],
] as const)('the list filtered by %j contains %j', ([query, expected]) => {
  using store = aStore()
  const at = 1_900_000_000_000
  store.messages.append(
    assistant(titled(store, 'Swiss', at - 1), 'Die Größe der Hauptstraße, Groesse, Tromsø'),
  )
  store.messages.append(assistant(titled(store, 'Sale', at), 'only today: 50% off'))
  store.messages.append(assistant(titled(store, 'Japanese', at + 1), '私は日本語を話します'))
  store.messages.append(assistant(titled(store, 'Über Bäume', at + 2), 'Rust has lifetimes of values.'))
  store.messages.append(assistant(titled(store, 'Learning Rust', at + 3), 'Rust checks borrows 🦀.'))
  expect(titles(store, query)).toEqual(expected)
})

const sectionsOf = (text: string) => [{ name: 'identity' as const, title: 'Who it is', text }]

test('a frozen prompt is stored per way of presenting tools, and freezing again replaces it', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.sessions.freezePrompt(id, { key: 'text', sections: sectionsOf('old'), toolNames: [] })
  store.sessions.freezePrompt(id, {
    key: 'text',
    sections: sectionsOf('You are …'),
    toolNames: ['read_file'],
  })
  store.sessions.freezePrompt(id, { key: 'structured', sections: sectionsOf('other'), toolNames: [] })
  expect(['text', 'structured', 'none'].map(key => store.sessions.frozenPrompt(id, key))).toEqual([
    { key: 'text', sections: sectionsOf('You are …'), toolNames: ['read_file'] },
    { key: 'structured', sections: sectionsOf('other'), toolNames: [] },
    undefined,
  ])
})

test('a draft alone is stored without a wait for the disk, and any other change with one', () => {
  using folder = aFolder()
  const connection = openConnection(join(folder.path, 'state.db'))
  migrateDatabase(connection, folder.path, 0)
  const commits: string[] = []
  const counted =
    (kind: 'atomically' | 'durably') =>
    <T>(work: () => T): T => {
      commits.push(kind)
      return connection[kind](work)
    }
  const sessions = createSessions(
    { ...connection, atomically: counted('atomically'), durably: counted('durably') },
    aClock(),
  )
  const { id } = sessions.create({ modelId: 'm', workspace: '/desk', approval: 'ask', origin: 'window' })
  sessions.update(id, { draft: 'Half a', draftAfter: 0 })
  sessions.update(id, { draft: 'Half a thought', title: 'Mine' })
  sessions.update(id, { title: 'Yours' })
  expect(commits).toEqual(['durably', 'atomically', 'durably', 'durably'])
  expect(sessions.get(id)).toMatchObject({ draft: 'Half a thought', title: 'Yours' })
  connection.db.close()
})

test('a chat that waits for its removal is known as temporary, unless it was kept', () => {
  using store = aStore(() => 1_800_000_000_000)
  const [ended, kept] = [aChat(store, { temporary: true }).id, aChat(store, { temporary: true }).id]
  store.sessions.keep(kept)
  store.sessions.remove(kept)
  store.purge.begin([kept], { asked: true })
  store.sessions.endTemporary([ended])
  const flags = () => new Map(store.purge.pending().map(each => [each.sessionId, each.temporary]))
  expect(flags()).toEqual(
    new Map([
      [kept, false],
      [ended, true],
    ]),
  )
  // Without its rows nothing tells that it was temporary, so saved states are removed too.
  for (let n = 0; n < 50 && !store.purge.erase(ended); n++);
  expect(flags().get(ended)).toBe(false)
})
