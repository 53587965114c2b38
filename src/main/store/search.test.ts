import Database from 'better-sqlite3'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aChat, assistant, aStore, toolResult, user } from './fixtures/a-store.ts'
import { lookupOf } from './search.ts'
import type { Store } from './types.ts'

const found = (store: Store, query: string, limit = 10) =>
  store.messages.search(query, limit).map(hit => hit.snippet)

function aLibrary() {
  const store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'How do I connect to the databases of the office?'))
  store.messages.append(assistant(id, 'Use psql with the host db.internal and your e-mail address.'))
  store.messages.append(assistant(id, '私は日本語を話します。東京に住んでいます。'))
  store.messages.append(assistant(id, 'Deploy on Friday? 🚀 Only with care.', { reasoning: 'unspoken' }))
  store.messages.append(toolResult(id, 'deploy deploy deploy'))
  return store
}

test.for([
  ['database', ['How do I connect to the databases of the office?']],
  ['connecting', ['How do I connect to the databases of the office?']],
  ['db.internal', ['Use psql with the host db.internal and your e-mail address.']],
  ['"with the host"', ['Use psql with the host db.internal and your e-mail address.']],
  ['"host the with"', []],
  ['psql nothing-of-the-kind', ['Use psql with the host db.internal and your e-mail address.']],
  ['日本語', ['私は日本語を話します。東京に住んでいます。']],
  ['🚀', ['Deploy on Friday? 🚀 Only with care.']],
  ['friday', ['Deploy on Friday? 🚀 Only with care.']],
  ['unspoken', []],
  ['', []],
  ['   ', []],
  ['"', []],
] as const)('%j finds %j', ([query, expected]) => {
  using store = aLibrary()
  expect(found(store, query)).toEqual(expected)
})

test('the best comes first, and what a tool answered counts less than what was said', () => {
  using store = aLibrary()
  expect(found(store, 'deploy care')).toEqual([
    'Deploy on Friday? 🚀 Only with care.',
    'deploy deploy deploy',
  ])
  expect(found(store, 'deploy care', 1)).toHaveLength(1)
})

test('chats that were removed are not found', () => {
  using store = aStore()
  const kept = aChat(store)
  const removed = aChat(store)
  store.messages.append(user(removed.id, 'apple 林檎'))
  const message = store.messages.append(user(kept.id, 'apple 林檎'))
  store.sessions.remove(removed.id)
  const hit = [{ sessionId: kept.id, messageId: message.id, snippet: 'apple 林檎' }]
  expect([store.messages.search('apple', 9), store.messages.search('林檎', 9)]).toEqual([hit, hit])
})

test('a long message is shown around the match', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, `${'before '.repeat(50)}needle 針 ${'after '.repeat(50)}`))
  for (const query of ['needle', '針']) {
    const [snippet] = found(store, query)
    expect(snippet).toMatch(/^….*needle 針.*…$/s)
    expect(snippet?.length).toBeLessThan(250)
  }
})

test('the index follows a change and a deletion of a message', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'alpha'))
  store.messages.append(user(id, 'beta'))
  const db = new Database(join(store.home, 'state.db'))
  db.prepare(`update messages set content = 'gamma' where content = 'alpha'`).run()
  db.prepare(`delete from messages where content = 'beta'`).run()
  db.prepare(`insert into messages_search (messages_search, rank) values ('integrity-check', 1)`).run()
  db.close()
  expect(['alpha', 'beta', 'gamma'].map(word => found(store, word))).toEqual([[], [], ['gamma']])
})

test('no query makes the search or the list throw', () => {
  using store = aLibrary()
  const piece = fc.constantFrom(
    '"',
    '*',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    'NEAR(',
    'content:',
    '^',
    '-',
    '+',
    '{',
    '}',
    ':',
    "'",
    ';',
    '--',
    '%',
    '_',
    '\\',
    '\0',
    '日本',
    '🚀',
    '\ud800',
    '́',
    '?',
    '.',
    'a',
    'deploy',
    ' ',
    '\n',
  )
  const query = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map(each => each.join('')),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\ud83d', '\ude80', '"', 'a') }),
  )
  fc.assert(
    fc.property(query, text => {
      for (const hit of store.messages.search(text, 5)) expect(hit.snippet).not.toBe('')
      store.sessions.list({ query: text, limit: 5, offset: 0 })
    }),
    { numRuns: 300 },
  )
})

test('a very long query is cut', () => {
  using store = aLibrary()
  expect(found(store, 'deploy '.repeat(20_000))).toHaveLength(2)
  expect(lookupOf('word '.repeat(1_000), 'any')).toEqual({ words: Array(32).fill('"word"').join(' OR ') })
})
