import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toldBy, aHome, aHost } from '../../../testing/host/a-host.ts'
import type { RequestGate, Updater } from './updater.ts'
import { OfflineError } from '../lib/network/offline.ts'

/** An updater that sends one request per check, and counts its checks. */
function anUpdater() {
  const seen = { checks: 0 }
  const openUpdater = (gate: RequestGate): Updater => ({
    source: 'updates.example.org',
    async check() {
      seen.checks += 1
      try {
        gate('updates.example.org').end(true)
        return { version: '0.2.0', sizeBytes: 7 }
      } catch (error) {
        if (!(error instanceof OfflineError)) throw error
        return { refused: error.message }
      }
    },
    download: async () => undefined,
    install() {},
  })
  return { seen, openUpdater }
}

const settings = (home: string, value: object) =>
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ config_version: 4, ...value }))

test('a check is in the ledger as an update, and every window hears of its end', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { hosting: 'desktop', openUpdater: anUpdater().openUpdater })
  const over = new AbortController()
  const events = host.client['app.watch']({}, { signal: over.signal })
  await events.next()
  await host.client['updates.check']({})
  // Other parts announce their first state.
  let heard = await events.next()
  while (!heard.done && !toldBy(heard.value).includes('updates')) heard = await events.next()
  over.abort()
  await expect.poll(async () => (await host.client['updates.read']({})).state.phase).toBe('available')
  const { entries } = await host.client['network.list']({})
  expect(heard.done).toBe(false)
  expect(entries.map(({ host, purpose, state }) => [host, purpose, state])).toEqual([
    ['updates.example.org', 'update', 'done'],
  ])
})

test('under the offline lock a check is blocked, and the ledger shows that', async () => {
  using home = aHome()
  settings(home.path, { network: { offline: true } })
  await using host = await aHost(home.path, { hosting: 'desktop', openUpdater: anUpdater().openUpdater })
  await host.client['updates.check']({})
  await expect
    .poll(async () => (await host.client['updates.read']({})).state)
    .toMatchObject({
      phase: 'failed',
      text: 'The offline lock is on, so nothing was sent to updates.example.org.',
    })
  const { entries } = await host.client['network.list']({})
  expect(entries.map(({ state }) => state)).toEqual(['blocked'])
})

test.each([
  [{}, 0],
  [{ updates: { check_at_start: true } }, 1],
  [{ updates: { check_at_start: true }, network: { offline: true } }, 0],
])('with the settings %j a start looks for updates %i times', async (value, times) => {
  using home = aHome()
  settings(home.path, value)
  const { seen, openUpdater } = anUpdater()
  await using host = await aHost(home.path, { hosting: 'desktop', openUpdater })
  await host.client['updates.read']({})
  expect(seen.checks).toBe(times)
})
