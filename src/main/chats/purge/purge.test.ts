import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { makeVersion8 } from '../../../../testing/db/version-8.ts'
import { aHome, aHost, type TestHost } from '../../../../testing/host/a-host.ts'
import { moments } from '../../../../testing/moments.ts'
import { plantChat, wordsIn, type Planted } from '../../../../testing/purge/plant-chat.ts'
import { until } from '../../../../testing/until.ts'

const isDone = async ({ client }: TestHost) => (await client['session.deleted']({})).removing === 0

/** Check that nothing of the planted chat is left, and everything else is. */
async function expectRemoved(home: string, { other, words, kept }: Planted) {
  expect(await wordsIn(home, words)).toEqual({})
  expect(Object.keys(await wordsIn(home, kept)).toSorted()).toEqual(kept.toSorted())
  for (const name of [
    'state.db',
    'state.safe.db',
    'state.safe-2.db',
    'backups/state-v9-20260101T000000.db',
  ]) {
    const db = new Database(join(home, name), { readonly: true })
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.prepare('select id from sessions').pluck().all()).toEqual([other])
    db.close()
  }
}

describe('removing a chat for good', () => {
  test('leaves no byte of it in any file of the home', async () => {
    using home = aHome()
    const planted = await plantChat(home.path)
    const { chat, other, words } = planted
    expect(words.length).toBeGreaterThanOrEqual(40)
    expect(Object.keys(await wordsIn(home.path, words)).toSorted()).toEqual(words.toSorted())

    await using host = await aHost(home.path)
    expect(await host.client['session.deleted']({})).toMatchObject({
      days: 30,
      removing: 0,
      paused: false,
      chats: [{ id: chat, daysLeft: 30 }],
    })
    await host.client['session.purge']({ ids: [chat] })
    await until(() => isDone(host))

    await expectRemoved(home.path, planted)
    const { messages } = await host.client['session.messages']({ id: other })
    expect(messages).toHaveLength(32)
    const { hits } = await host.client['recall.search']({ query: 'otherwordzq' })
    expect(hits).toMatchObject([{ sessionId: other }])
    expect(existsSync(join(home.path, 'backups/damaged-20260101T000000-1-state.db'))).toBe(false)
    const [logged, ...more] = host.mistakes()
    expect([logged, more]).toEqual([expect.stringContaining('oldlogstaysz'), []])
  })

  test('is finished at the next start when the process is killed in between, at any moment', async () => {
    using home = aHome()
    const planted = await plantChat(home.path)
    const script = fileURLToPath(new URL('../../../../testing/purge/purge-until-killed.ts', import.meta.url))
    // Kill immediately and at later moments; the last process is killed after it is done.
    for (const delay of moments({ every: [0, 50, 150, undefined], some: [50, undefined] })) {
      const child = spawn(process.execPath, [script, home.path, planted.chat], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const gone = once(child, 'exit')
      for await (const line of createInterface(child.stdout)) {
        if (line === 'begun' && delay !== undefined) await sleep(delay)
        if (line === 'done' || delay !== undefined) child.kill('SIGKILL')
      }
      await gone
    }
    await using host = await aHost(home.path)
    // The next start retries what an earlier process could not remove in time.
    await expect
      .poll(() => host.client['session.deleted']({}))
      .toMatchObject({ chats: [], removing: 0, unremoved: [] })
    await expectRemoved(home.path, planted)
  })

  test('a chat that is being removed cannot be restored', async () => {
    using home = aHome()
    const { chat } = await plantChat(home.path)
    await using host = await aHost(home.path)
    await host.client['session.purge']({ ids: [chat] })
    await expect(host.client['session.restore']({ id: chat })).rejects.toThrow('no longer exists')
    await until(() => isDone(host))
    await expect(host.client['session.restore']({ id: chat })).rejects.toThrow('no longer exists')
  })

  test('a chat that was not deleted is not removed', async () => {
    using home = aHome()
    const { other } = await plantChat(home.path)
    await using host = await aHost(home.path)
    await host.client['session.purge']({ ids: [other] })
    await until(() => isDone(host))
    expect(await host.client['session.get']({ id: other })).toMatchObject({ id: other })
  })
})

test('what was deleted before the update is shown with all its days, and cleaned from file and backup', async () => {
  using home = aHome()
  const { deleted, erased, stays } = makeVersion8(home.path)
  expect(Object.keys(await wordsIn(home.path, erased))).not.toEqual([])
  await using host = await aHost(home.path)
  const { chats } = await host.client['session.deleted']({})
  expect(chats).toMatchObject([{ id: 'chat_deleted', daysLeft: 30 }])
  const backups = () => readdirSync(join(home.path, 'backups'))
  expect(backups()).toEqual([expect.stringMatching(/^state-v8-/)])

  await host.client['session.purge']({ ids: ['chat_deleted'] })
  await until(() => isDone(host))
  expect(await wordsIn(home.path, [...deleted, ...erased])).toEqual({})
  expect(Object.keys(await wordsIn(home.path, stays)).toSorted()).toEqual(stays.toSorted())
  expect(backups()).toHaveLength(1)
  const copy = readFileSync(join(home.path, 'backups', backups()[0] ?? ''))
  expect(stays.filter(word => !copy.includes(word))).toEqual([])
})
