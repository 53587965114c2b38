import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, lastOf } from '../../../../../testing/data/a-home.ts'
import { aFolder } from '../../../../../testing/db/a-store.ts'
import type { AppEvent } from '../../../../shared/contract/app.ts'
import { Config } from '../../../config/schema.ts'
import { namesIn } from '../../../lib/expected-errors.ts'
import { openBackup } from '../../../data/backup/read-backup.ts'
import { dataFeature } from './data-feature.ts'

const never = new AbortController().signal

/** The feature over a home in use. */
function aFeature(workspace?: string) {
  const store = aHome()
  const current = Config.parse({})
  const events: AppEvent[] = []
  const feature = dataFeature({
    shownHome: store.home,
    home: store.home,
    workspace: workspace ?? join(store.home, 'workspace'),
    config: { current } as Parameters<typeof dataFeature>[0]['config'],
    store,
    events: { publish: (event: AppEvent) => void events.push(event) } as Parameters<
      typeof dataFeature
    >[0]['events'],
    notices: [],
    now: Date.now,
    report(error) {
      throw error
    },
  })
  return {
    ...feature,
    home: store.home,
    current,
    events,
    made: () => feature.handlers['data.backups']().backups.filter(({ kind }) => kind === 'daily'),
    async [Symbol.asyncDispose]() {
      await feature.close()
      store[Symbol.dispose]()
    },
  }
}

test('the backup of a day has chats, memory, skills and settings, but neither keys nor the working folder', async () => {
  await using feature = aFeature()
  await feature.daily.look()
  const [backup] = feature.made()
  const { manifest } = await openBackup(backup!.path)
  expect(manifest.kind).toBe('daily')
  expect(manifest.chats).toHaveLength(2)
  const tops = new Set(manifest.files.map(({ name }) => name.split('/')[0]!))
  expect([...tops].toSorted()).toEqual([
    'SOUL.md',
    'agents',
    'config.yaml',
    'memories',
    'permissions.json',
    'skills',
    'state.db',
  ])
  expect(manifest.leftOut.map(({ path }) => path)).toEqual(expect.arrayContaining(['.env', 'workspace']))
})

test('a backup names the working folder when it is outside the home, and only then', async () => {
  using elsewhere = aFolder()
  const garden = join(elsewhere.path, 'garden')
  mkdirSync(garden)
  const leftOut = async (workspace?: string) => {
    await using feature = aFeature(workspace)
    const path = join(elsewhere.path, workspace === undefined ? 'inside.zip' : 'outside.zip')
    await lastOf(feature.handlers['data.backup']({ path, keys: false, files: true }, never))
    return (await openBackup(path)).manifest.leftOut.map(each => each.path)
  }
  expect(await leftOut(garden)).toContain(garden)
  expect((await leftOut()).filter(path => path.startsWith('/'))).toEqual([])
})

test('no backup is made while the setting is off', async () => {
  await using feature = aFeature()
  feature.current.backup.daily = false
  await feature.daily.look()
  expect(feature.made()).toEqual([])
})

test('a daily backup that fails is told in every window and on the page, and leaves nothing', async () => {
  await using feature = aFeature()
  // A file blocks the folder that the copy is put into.
  rmSync(join(feature.home, 'cache'), { recursive: true })
  writeFileSync(join(feature.home, 'cache'), 'in the way')
  await feature.daily.look()
  await feature.daily.look()
  const { backups, trouble } = feature.handlers['data.backups']()
  expect([backups, trouble]).toEqual([[], expect.stringContaining('was not written')])
  expect(feature.events).toEqual([
    { type: 'notice', notice: expect.objectContaining({ id: 'daily-backup', level: 'warning' }) as unknown },
  ])
  rmSync(join(feature.home, 'cache'))
  mkdirSync(join(feature.home, 'cache'))
  await feature.daily.look()
  expect(feature.handlers['data.backups']().trouble).toBeNull()
})

test('two backups at once are made one after the other', async () => {
  await using feature = aFeature()
  using elsewhere = aFolder()
  const backUp = (name: string) =>
    lastOf(
      feature.handlers['data.backup']({ path: join(elsewhere.path, name), keys: false, files: true }, never),
    )
  const both = await Promise.all([backUp('a.zip'), backUp('b.zip'), feature.daily.look()])
  expect(both.slice(0, 2)).toEqual([
    expect.objectContaining({ type: 'done' }),
    expect.objectContaining({ type: 'done' }),
  ])
  expect(readdirSync(elsewhere.path).toSorted()).toEqual(['a.zip', 'b.zip'])
  expect(feature.made()).toHaveLength(1)
})

test('a backup that is being written is noted until it is finished, so that a kill leaves nothing of it', async () => {
  await using feature = aFeature()
  using elsewhere = aFolder()
  const notes = () => namesIn(join(feature.home, 'cache', 'unfinished'))
  const path = join(elsewhere.path, 'mine.zip')
  const seen: number[] = []
  for await (const _ of feature.handlers['data.backup']({ path, keys: false, files: false }, never))
    seen.push(notes().length)
  expect(new Set(seen)).toEqual(new Set([1]))
  expect([readdirSync(elsewhere.path), notes()]).toEqual([['mine.zip'], []])
})

test('nothing is restored into the home that is open, not even by way of a link', async () => {
  await using feature = aFeature()
  await feature.daily.look()
  const { path } = feature.made()[0]!
  const { seen } = await feature.handlers['data.inspect']({ path })
  using elsewhere = aFolder()
  const link = join(elsewhere.path, 'link')
  symlinkSync(feature.home, link)
  for (const folder of [feature.home, join(feature.home, 'a', 'b'), join(link, 'a')])
    await expect(lastOf(feature.handlers['data.restore']({ path, folder, seen }, never))).rejects.toThrow(
      /is inside .*, the home that is open here\. Choose a folder outside it; nothing was restored\./,
    )
  expect(namesIn(feature.home)).not.toContain('a')
  const beside = `${feature.home}-restored`
  try {
    await lastOf(feature.handlers['data.restore']({ path, folder: beside, seen }, never))
    expect(namesIn(beside)).toContain('state.db')
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
})
