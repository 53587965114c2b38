import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aChat, aFolder, aStore, user } from '../../../../testing/db/a-store.ts'
import type { Store } from '../../db/store.ts'
import { openSearch } from './open-search.ts'

const never = new AbortController().signal
const script = join(import.meta.dirname, '../../../../testing/threads/ending-thread.ts')
const fail = (error: unknown) => {
  throw error
}

/** A search over a store, closed on dispose. */
function aSearch(store: Pick<Store, 'path' | 'recall'>, report = fail) {
  const search = openSearch({ store, report })
  const chats = async (query: string, signal = never) =>
    (await search.hits(signal, { query }, 5)).map(({ sessionId }) => sessionId)
  return { ...search, chats, [Symbol.asyncDispose]: search.close }
}

/** A search in a thread that ends in the middle of its work. */
function anEndingSearch(folder: string) {
  const reported: unknown[] = []
  const store = { path: join(folder, 'mark'), recall: { refresh: () => 0 } }
  const search = openSearch({ store, report: error => reported.push(error), script })
  const ask = (query: string, signal = never) => search.hits(signal, { query }, 5)
  return { ...search, ask, reported, [Symbol.asyncDispose]: search.close }
}

test('what was just written is found', async () => {
  using store = aStore()
  await using search = aSearch(store)
  expect(await search.chats('lighthouse')).toEqual([])
  for (const word of ['lighthouse', 'harbour', 'seagull']) {
    const { id } = aChat(store)
    store.messages.append(user(id, `We talked about the ${word}.`))
    expect(await search.chats(word)).toEqual([id])
  }
  const gone = (await search.chats('harbour'))[0]!
  store.sessions.remove(gone)
  expect(await search.chats('harbour')).toEqual([])
})

test('chats are listed by words as the store lists them', async () => {
  using store = aStore()
  await using search = aSearch(store)
  const { id } = aChat(store)
  aChat(store)
  store.messages.append(user(id, 'Where is the lighthouse?'))
  store.sessions.update(id, { title: 'ÄRGER am Hafen' })
  for (const query of ['lighthouse', 'ärger', '', '?']) {
    const options = { query, limit: 10, offset: 0 }
    expect(await search.list(never, options)).toEqual(store.sessions.list(options))
  }
})

test('a stopped search is over at once, and the next one is answered', async () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'The lighthouse.'))
  await using search = aSearch(store)
  const stopping = new AbortController()
  const [one, two] = [search.chats('lighthouse', stopping.signal), search.chats('lighthouse')]
  stopping.abort()
  await expect(one).rejects.toMatchObject({ code: 'cancelled' })
  expect(await two).toEqual([id])
  await expect(search.chats('lighthouse', stopping.signal)).rejects.toMatchObject({ code: 'cancelled' })
})

test('a search that never waits is stopped all the same', async () => {
  using folder = aFolder()
  await using search = anEndingSearch(folder.path)
  const stopping = new AbortController()
  await search.ask('first').catch(() => undefined)
  const endless = search.ask('never ends', stopping.signal)
  setImmediate(() => stopping.abort())
  await expect(endless).rejects.toMatchObject({ code: 'cancelled' })
  expect(await search.ask('next')).toEqual(['next'])
})

test('between two searches no reader holds up the log', async () => {
  using store = aStore()
  await using search = aSearch(store)
  const { id } = aChat(store)
  store.messages.append(user(id, 'The lighthouse.'))
  expect(await search.chats('lighthouse')).toEqual([id])
  expect(store.purge.emptyLog()).toBe(true)
  const reader = new Database(store.path, { readonly: true })
  store.messages.append(user(id, 'More.'))
  reader.exec('begin')
  reader.prepare('select count(*) from messages').get()
  store.messages.append(user(id, 'Still more.'))
  expect([store.purge.emptyLog(), store.pages.step()]).toEqual([false, 'disturbed'])
  reader.exec('commit')
  expect(store.purge.emptyLog()).toBe(true)
  reader.close()
})

test('indexed text can be searched even if indexing has failed', async () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'The lighthouse.'))
  const refresh = () => fail(new Error('the disk is full'))
  await using search = aSearch({ path: store.path, recall: { ...store.recall, refresh } })
  expect(await search.chats('lighthouse')).toEqual([id])
})

test('a broken index is reported, and checked at the next start', async () => {
  using store = aStore()
  await using search = aSearch(store)
  const { id } = aChat(store)
  store.messages.append(user(id, 'The lighthouse.'))
  const db = new Database(store.path)
  db.unsafeMode()
  db.exec('update messages_search_data set block = zeroblob(40) where id > 10')
  db.close()
  await expect(search.chats('lighthouse')).rejects.toMatchObject({
    code: 'not_ready',
    message: expect.stringContaining('is damaged. Restart Talaria') as string,
  })
  expect(existsSync(`${store.path}.check`)).toBe(true)
})

test('a database that cannot be opened is named', async () => {
  using folder = aFolder()
  const path = join(folder.path, 'state.db')
  using store = aStore()
  await using search = aSearch({ path, recall: store.recall })
  await expect(search.chats('lighthouse')).rejects.toMatchObject({
    code: 'not_ready',
    message: expect.stringContaining(path) as string,
  })
})

test('a thread that ends is started again, and asked once more', async () => {
  using folder = aFolder()
  await using search = anEndingSearch(folder.path)
  expect(await search.ask('lighthouse')).toEqual(['lighthouse'])
  expect(search.reported).toEqual([])
  expect(existsSync(join(folder.path, 'mark'))).toBe(true)
  for (const query of ['ends', 'throws later'])
    await expect(search.ask(query)).rejects.toMatchObject({
      code: 'not_ready',
      message: 'The search stopped unexpectedly. Try again; if it stops again, restart Talaria.',
    })
  expect(search.reported).toHaveLength(2)
  expect(await search.ask('harbour')).toEqual(['harbour'])
})

test('closing stops a search that is under way', async () => {
  using folder = aFolder()
  const search = anEndingSearch(folder.path)
  await search.ask('first').catch(() => undefined)
  const endless = search.ask('never ends')
  const refused = expect(endless).rejects.toMatchObject({ code: 'cancelled' })
  await search.close()
  await refused
  await expect(search.ask('next')).rejects.toMatchObject({ code: 'cancelled' })
})

test('a search of all chats does not wait for one through a long chat', async () => {
  using store = aStore()
  await using search = aSearch(store)
  const { id: long } = aChat(store)
  for (let n = 0; n < 40; n++) store.messages.append(user(long, `${'word '.repeat(20_000)}${n}`))
  const { id } = aChat(store)
  store.messages.append(user(id, 'Where is the lighthouse?'))
  // Start both threads first, so that the launch time does not count.
  await Promise.all([search.chats('lighthouse'), search.inChat(never, id, 'lighthouse', false)])
  const ended: string[] = []
  const through = Array.from({ length: 20 }, () =>
    search.inChat(never, long, 'o', false).then(() => ended.push('chat')),
  )
  const all = search.chats('lighthouse').then(found => {
    ended.push('all')
    expect(found).toEqual([id])
  })
  await Promise.all([...through, all])
  expect(ended.indexOf('all')).toBeLessThan(20)
})
