import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { Fault } from '../../../shared/rpc.ts'
import { backupFolder } from '../../lib/disk/durable-files.ts'
import { createDailyBackups, listBackups } from './daily-backup.ts'

const DAY_MS = 86_400_000

/** Daily backups of a folder, with a clock that moves by days. */
function daily(write?: (target: string) => Promise<void>, files: readonly string[] = []) {
  const folder = aFolder()
  const home = folder.path
  for (const name of files) writeFileSync(join(backupFolder(home), name), 'x')
  let now = 1_800_000_000_000
  const troubles: (string | undefined)[] = []
  const state = { isWanted: true }
  const backups = createDailyBackups({
    home,
    now: () => now,
    isWanted: () => state.isWanted,
    async write(target) {
      await write?.(target)
      writeFileSync(target, 'a backup')
    },
    onTrouble: text => troubles.push(text),
    report(error) {
      throw error
    },
  })
  return {
    home,
    backups,
    troubles,
    state,
    pass: (days: number) => (now += days * DAY_MS),
    names: () => readdirSync(backupFolder(home)).toSorted(),
    async [Symbol.asyncDispose]() {
      await backups.close()
      folder[Symbol.dispose]()
    },
  }
}

test('one backup a day is made, and seven are kept', async () => {
  await using home = daily()
  for (let day = 0; day < 10; day++) {
    await home.backups.look()
    await home.backups.look()
    home.pass(1)
  }
  expect(home.names()).toHaveLength(7)
  expect(listBackups(home.home).map(({ kind }) => kind)).toEqual(Array(7).fill('daily'))
})

test('a backup that was rewritten later is as old as before', async () => {
  await using home = daily()
  const later = new Date('2030-01-01')
  for (let day = 0; day < 10; day++) {
    await home.backups.look()
    const [oldest] = home.names()
    utimesSync(join(backupFolder(home.home), oldest!), later, later)
    home.pass(1)
  }
  const kept = home.names()
  expect(kept).toHaveLength(7)
  // The first of the seven was made on the fourth day.
  expect(listBackups(home.home).at(-1)?.at).toBe(1_800_000_000_000 + 3 * DAY_MS)
})

test('none is made while it is switched off', async () => {
  await using home = daily()
  home.state.isWanted = false
  await home.backups.look()
  expect(home.names()).toEqual([])
})

test('a backup that fails is told in words, and the older ones stay', async () => {
  let isFull = false
  await using home = daily(async () => {
    if (isFull) throw new Fault('not_ready', 'The disk is full.')
  })
  await home.backups.look()
  const before = home.names()
  isFull = true
  home.pass(1)
  await home.backups.look()
  expect([home.troubles, home.names()]).toEqual([[undefined, 'The disk is full.'], before])
})

test('what a crash left half written is removed, and other files stay', async () => {
  await using home = daily(undefined, [
    'daily-20260101T000000.zip.part',
    'state-v7-20260101T000000.db',
    'mine.txt',
  ])
  await home.backups.look()
  expect(home.names()).toEqual([
    expect.stringMatching(/^daily-.*\.zip$/),
    'mine.txt',
    'state-v7-20260101T000000.db',
  ])
  expect(Object.groupBy(listBackups(home.home), ({ kind }) => kind)).toMatchObject({
    daily: [{ bytes: 8 }],
    update: [{ bytes: 1 }],
    other: [{ name: 'mine.txt' }],
  })
})

test('after the clock was set back, one backup is made', async () => {
  await using home = daily()
  home.pass(30)
  await home.backups.look()
  home.pass(-30)
  await home.backups.look()
  await home.backups.look()
  expect(home.names()).toHaveLength(2)
})
