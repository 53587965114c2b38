import { expect, test } from 'vitest'
import { aStore } from '../../../testing/db/a-store.ts'
import type { ImportedChat } from './imports.ts'

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

test('an imported chat has the times it had, and a title made of its first message when it had none', () => {
  using store = aStore()
  const [id] = store.imports.add([aForeignChat('a:1')])
  expect(store.sessions.get(id!)).toMatchObject({
    source: 'import',
    title: 'Which port?',
    preview: '8443.',
    createdAt: 1_000_000,
    updatedAt: 3_000_000,
    messageCount: 2,
  })
})

test('chats are kept together or not at all', () => {
  using store = aStore()
  const broken = aForeignChat('a:2', { createdAt: null as unknown as number })
  expect(() => store.imports.add([aForeignChat('a:1'), broken])).toThrow()
  expect(store.sessions.list({ query: '', limit: 9, offset: 0 }).sessions).toEqual([])
  expect(store.imports.known(['a:1', 'a:2'])).toEqual(new Set())
})

test('a chat that is known is not kept again, also one that was removed, and the same one twice is one', () => {
  using store = aStore()
  const [id] = store.imports.add([aForeignChat('a:1'), aForeignChat('a:1')])
  store.sessions.remove(id!)
  expect(store.imports.known(['a:1', 'a:2'])).toEqual(new Set(['a:1']))
  expect(store.imports.add([aForeignChat('a:1'), aForeignChat('a:2')])).toHaveLength(1)
})

test('what went on from another chat still does, when that one is here', () => {
  using store = aStore()
  const ids = store.imports.add([
    aForeignChat('a:1'),
    aForeignChat('a:2', { parentKey: 'a:1' }),
    aForeignChat('a:3', { parentKey: 'a:0' }),
  ])
  expect([...store.recall.roots(ids).values()]).toEqual([ids[0], ids[0], ids[2]])
})
