import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aHome } from '../../../../testing/host/a-host.ts'
import { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { openStore, type Store } from '../../db/store.ts'
import { serverEntries } from './server-entries.ts'
import { identityOf } from './known-servers.ts'
import { giveDatabase } from '../../../../testing/db/give-database.ts'

const server = (name: string, key: string) =>
  McpServer.parse({ name, command: 'node', args: ['server.js'], env: { API_KEY: key } })
const raise = (error: unknown) => {
  throw error
}
const [FIRST, SECOND] = ['blue-harbour-42-lanterns', 'green-valley-17-windmills']

describe('entries that cannot be written', () => {
  let home: ReturnType<typeof aHome>
  let store: Store
  let list: readonly McpServer[]
  let vault: Map<string, string>
  let isFull: boolean
  let entries: ReturnType<typeof serverEntries>
  beforeEach(async () => {
    home = aHome()
    giveDatabase(home.path)
    store = openStore(home.path, { clock: () => 1_000, report: raise }).store
    list = []
    vault = new Map()
    isFull = false
    entries = serverEntries({
      store: store.mcp,
      read: () => list,
      write(servers) {
        if (isFull) throw new Error('config.yaml cannot be saved: the disk is full.')
        list = servers
      },
      async keepKey(name, value) {
        if (value === undefined) vault.delete(name)
        else vault.set(name, value)
      },
      keptKey: name => vault.get(name),
      placesOf: () => [],
      now: () => 1_000,
      report: raise,
    })
    await entries.put(server('one', FIRST), 'one')
    isFull = true
  })
  afterEach(() => {
    entries.close()
    store.close()
    home[Symbol.dispose]()
  })

  test.each<[string, () => unknown]>([
    ['added', () => entries.put(server('two', SECOND), 'two')],
    ['edited, with another key', () => entries.put(server('one', SECOND), 'one')],
    ['renamed', () => entries.put({ ...list[0]!, name: 'two' }, 'one')],
    ['removed', () => entries.remove('one', false)],
    ['removed for good', () => entries.remove('one', true)],
  ])('leave keys, agreement and list as they were: %s', async (_how, change) => {
    const before = list
    const agreed = store.mcp.agreed('one')
    expect(agreed?.identity).toBe(identityOf(list[0]!))
    await expect((async () => change())()).rejects.toThrow('the disk is full')
    expect(list).toBe(before)
    expect([...vault]).toEqual([['ONE_API_KEY', FIRST]])
    expect([store.mcp.agreed('one'), store.mcp.agreed('two')]).toEqual([agreed, undefined])
    expect(store.mcp.removed()).toEqual([])
  })

  test('leave a removal such that it can be undone later', async () => {
    isFull = false
    await entries.remove('one', false)
    isFull = true
    expect(() => entries.restore('one')).toThrow('the disk is full')
    isFull = false
    expect(entries.restore('one')).toBeUndefined()
    expect(store.mcp.agreed('one')?.identity).toBe(identityOf(list[0]!))
    expect([...vault]).toEqual([['ONE_API_KEY', FIRST]])
  })
})
