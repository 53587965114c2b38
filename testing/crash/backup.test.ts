import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkBackup, openBackup } from '../../src/main/data/backup/read-backup.ts'
import { restoreBackup } from '../../src/main/data/backup/restore-backup.ts'
import { writeBackup } from '../../src/main/data/backup/write-backup.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { aBackupJob, aHome, lastOf } from '../data/a-home.ts'
import { aFolder, open } from '../db/a-store.ts'
import { moments } from '../moments.ts'
import { aSmallDisk } from './small-disk.ts'

const never = new AbortController().signal

/** Run the fixture, let it finish one round, and kill it a moment later in the next. */
async function killed(args: string[], laterMs: number): Promise<void> {
  const script = fileURLToPath(new URL('../data/back-up-until-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) if (line === '2') break
  // Any moment will do: the invariants apply at every moment.
  await sleep(laterMs)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const kills = moments({ every: [0, 30, 60, 90], some: [0, 60] })

test.for(kills)(
  'a backup that is killed after %i ms leaves whole backups, and the next one is made',
  async later => {
    using home = aHome({ messages: 300 })
    using elsewhere = aFolder()
    await killed(['backup', home.home, elsewhere.path], later)
    const whole = readdirSync(elsewhere.path).filter(name => name.endsWith('.zip'))
    expect(whole.length).toBeGreaterThan(0)
    for (const name of whole) await checkBackup(join(elsewhere.path, name), never, () => {})
    const halves = () => readdirSync(elsewhere.path).filter(name => name.endsWith('.part'))
    // The next backup with the same name replaces a half-written one, and removes other leftovers.
    for (const name of [...halves().map(half => half.replace(/\.part$/, '')), 'next.zip'])
      await lastOf(writeBackup(aBackupJob(home, join(elsewhere.path, name)), never))
    expect(halves()).toEqual([])
    expect(existsSync(join(home.home, 'cache', 'backup'))).toBe(false)
  },
)

test.for(kills)(
  'a restored home that is killed after %i ms is whole or has no name, and can be restored again',
  async later => {
    using home = aHome({ messages: 300 })
    using elsewhere = aFolder()
    const path = join(elsewhere.path, 'backup.zip')
    await lastOf(writeBackup(aBackupJob(home, path), never))
    mkdirSync(join(elsewhere.path, 'homes'))
    await killed(['restore', path, join(elsewhere.path, 'homes')], later)
    const made = readdirSync(join(elsewhere.path, 'homes'))
    const half = made.find(name => name.endsWith('.part'))
    if (half !== undefined) {
      const folder = join(elsewhere.path, 'homes', half.replace(/\.part$/, ''))
      await lastOf(restoreBackup({ path, folder }, never))
      expect(existsSync(`${folder}.part`)).toBe(false)
    }
    for (const name of readdirSync(join(elsewhere.path, 'homes'))) {
      const { store, notices } = open(join(elsewhere.path, 'homes', name))
      expect(notices).toEqual([])
      expect(
        store.sessions.list({ query: '', limit: 9, offset: 0 }).sessions.map(each => each.messageCount),
      ).toEqual([300, 300])
      store.close()
    }
  },
)

const first = aSmallDisk(1)
const reason = isRefusal(first) ? first.refused : undefined
if ('path' in first) first[Symbol.dispose]()

describe.skipIf(reason !== undefined)('on a disk that is full', () => {
  test('a backup is whole, or it leaves nothing and says why', async () => {
    using home = aHome({ messages: 300 })
    using disk = smallDisk()
    const outcomes = { made: 0, refused: 0 }
    for (let free = 0; free <= 400_000; free += 24_576) {
      disk.leave(free)
      const target = join(disk.path, 'backup.zip')
      const refused = await refusalOf(lastOf(writeBackup(aBackupJob(home, target), never)))
      if (refused === undefined) await openBackup(target)
      else expect({ free, refused }).toEqual({ free, refused: expect.stringContaining('the disk is full') })
      expect(readdirSync(disk.path).toSorted()).toEqual(
        refused === undefined ? ['backup.zip', 'ballast'] : ['ballast'],
      )
      rmSync(target, { force: true })
      outcomes[refused === undefined ? 'made' : 'refused']++
    }
    expect(outcomes.made).toBeGreaterThan(0)
    expect(outcomes.refused).toBeGreaterThan(0)
  })

  test('a home on it is backed up to another disk only as a whole', async () => {
    using disk = smallDisk()
    using elsewhere = aFolder()
    const home = join(disk.path, 'home')
    mkdirSync(home)
    const { store } = open(home)
    disk.leave(0)
    const target = join(elsewhere.path, 'backup.zip')
    const job = aBackupJob({ home, path: store.path }, target)
    expect(await refusalOf(lastOf(writeBackup(job, never)))).toMatch(/disk is full/)
    expect(readdirSync(elsewhere.path)).toEqual([])
    store.close()
  })

  test('a restored home is whole, or it leaves nothing and says why', async () => {
    using home = aHome({ messages: 300 })
    using elsewhere = aFolder()
    using disk = smallDisk()
    const path = join(elsewhere.path, 'backup.zip')
    await lastOf(writeBackup(aBackupJob(home, path), never))
    for (const free of [0, 8_192, 200_000, 2_000_000]) {
      disk.leave(free)
      const folder = join(disk.path, 'home')
      const refused = await refusalOf(lastOf(restoreBackup({ path, folder }, never)))
      if (refused !== undefined) expect(refused).toMatch(/disk is full|not enough space/)
      expect(readdirSync(disk.path).toSorted()).toEqual(
        refused === undefined ? ['ballast', 'home'] : ['ballast'],
      )
      expect(refused === undefined).toBe(free === 2_000_000)
    }
  })
})

function smallDisk() {
  const disk = aSmallDisk(4)
  if (isRefusal(disk)) throw new Error(disk.refused)
  return disk
}

const refusalOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  )
