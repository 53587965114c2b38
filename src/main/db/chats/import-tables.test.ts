import type { ImportStore } from './import-tables.ts'
import { expect, test } from 'vitest'
import { aStore } from '../../../../testing/db/a-store.ts'

type ImportedChat = Parameters<ImportStore['begin']>[0]

const aForeignChat = (key: string, given: Partial<ImportedChat> = {}): ImportedChat => ({
  key,
  parentKey: null,
  title: '',
  modelId: 'builtin',
  workspace: '/desk',
  approval: 'ask',
  createdAt: 1_000_000,
  updatedAt: 3_000_000,
  messages: [
    { role: 'user', text: 'Which port?', at: 1_000_000, model: '' },
    { role: 'assistant', text: '8443.', at: 2_000_000, model: 'gpt-4o' },
  ],
  ...given,
})

test('an imported chat keeps its times, and gets a title from its first message if it has none', () => {
  using store = aStore()
  const [id] = store.imports.add([aForeignChat('a:1')])
  expect(store.sessions.get(id!)).toMatchObject({
    origin: 'import',
    title: 'Which port?',
    preview: '8443.',
    createdAt: 1_000_000,
    updatedAt: 3_000_000,
    messageCount: 2,
  })
})

test('chats are stored together or not at all', () => {
  using store = aStore()
  const broken = aForeignChat('a:2', { createdAt: null as unknown as number })
  expect(() => store.imports.add([aForeignChat('a:1'), broken])).toThrow()
  expect(store.sessions.list({ query: '', limit: 9, offset: 0 }).sessions).toEqual([])
  expect(store.imports.known(['a:1', 'a:2'])).toEqual(new Set())
})

test('a known chat, even a removed one, is not stored again, and duplicates are stored once', () => {
  using store = aStore()
  const [id] = store.imports.add([aForeignChat('a:1'), aForeignChat('a:1')])
  store.sessions.remove(id!)
  expect(store.imports.known(['a:1', 'a:2'])).toEqual(new Set(['a:1']))
  expect(store.imports.add([aForeignChat('a:1'), aForeignChat('a:2')])).toHaveLength(1)
})

test('a continuation stays linked to its chat, if that is here', () => {
  using store = aStore()
  const ids = store.imports.add([
    aForeignChat('a:1'),
    aForeignChat('a:2', { parentKey: 'a:1' }),
    aForeignChat('a:3', { parentKey: 'a:0' }),
  ])
  expect([...store.recall.roots(ids).values()]).toEqual([ids[0], ids[0], ids[2]])
})

test('a chat that is not whole yet is seen nowhere, not even among deleted ones, and can be finished or removed', () => {
  using store = aStore()
  const seen = () => [
    store.sessions.list({ query: '', limit: 9, offset: 0 }).sessions.length,
    store.purge.deleted().length,
    store.imports.known(['a:1']).size,
  ]
  const id = store.imports.begin(aForeignChat('a:1'))!
  store.imports.extend(id, [{ role: 'user', text: 'And the host?', at: 4_000_000, model: '' }])
  expect(seen()).toEqual([0, 0, 0])
  store.imports.finish(id, { key: 'a:1', updatedAt: 4_000_000 })
  expect(store.sessions.get(id)).toMatchObject({ origin: 'import', messageCount: 3, updatedAt: 4_000_000 })
  expect(store.imports.begin(aForeignChat('a:1'))).toBe(undefined)
  const other = store.imports.begin(aForeignChat('a:2'))!
  while (store.imports.clean());
  expect(store.messages.page(other, { limit: 9 }).messages).toEqual([])
  expect(seen()).toEqual([1, 0, 1])
})
