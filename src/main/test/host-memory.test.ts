import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns, clockUntil } from '../../../testing/until.ts'
import { aHome, aHost } from '../../../testing/host/a-host.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a change that another program makes to memory reaches every window without a request', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  let told = 0
  const leaving = new AbortController()
  const listening = (async () => {
    for await (const event of host.connectAgain()['app.watch']({}, { signal: leaving.signal }))
      if (event.type === 'memory') told++
  })()
  const { revisions } = await host.client['memory.add']({ target: 'user', text: 'Lives in Bern.' })
  await clockUntil(() => told === 1)
  // Our own write is noticed as well, and is nothing new.
  await clockRuns(5_000)
  expect(told).toBe(1)
  mkdirSync(join(home.path, 'memories'), { recursive: true })
  writeFileSync(join(home.path, 'memories', 'USER.md'), 'Lives in Basel.\n')
  await clockUntil(() => told === 2)
  const { entries, outside } = await host.client['memory.view']({})
  expect(entries).toMatchObject([{ id: revisions[0]!.entryId, text: 'Lives in Basel.' }])
  expect(outside).toHaveLength(1)
  leaving.abort()
  await listening.catch(() => undefined)
  expect(host.mistakes()).toEqual([])
})
