import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBackupJob, aHome, lastOf } from '../../../testing/data/a-home.ts'
import { wordsIn } from '../../../testing/purge/plant-chat.ts'
import { user } from '../../../testing/db/a-store.ts'
import { writeBackup } from './backup/write-backup.ts'
import { openBackup } from './backup/read-backup.ts'
import { cleanCopies, type CleaningJob } from './clean-copies.ts'

const { signal } = new AbortController()
const clean = (job: Omit<CleaningJob, 'all' | 'startedAt'> & { startedAt?: number }) =>
  lastOf(cleanCopies({ all: false, startedAt: Date.now(), ...job }, signal))

/** A home with two daily backups, and a chat that is only in the second. */
async function withBackups() {
  const home = aHome()
  const folder = join(home.home, 'backups')
  mkdirSync(folder)
  const backUp = (name: string) =>
    lastOf(writeBackup(aBackupJob(home, join(folder, name), { kind: 'daily' }), signal))
  await backUp('daily-1.zip')
  const { id } = home.sessions.create({
    modelId: 'builtin',
    workspace: '/desk',
    approval: 'ask',
    origin: 'window',
  })
  home.messages.append(user(id, 'plantedword'))
  await backUp('daily-2.zip')
  return { ...home, id, folder }
}

test('only backups that hold a chat are rewritten, and they stay whole', async () => {
  using home = await withBackups()
  const before = readFileSync(join(home.folder, 'daily-1.zip'))
  const second = join(home.folder, 'daily-2.zip')
  const done = await clean({
    home: home.home,
    database: home.path,
    chats: [{ sessionId: home.id, createdAt: 0 }],
  })
  expect(done).toEqual({ type: 'done', rewritten: [second], dropped: [], left: [] })
  expect(readFileSync(join(home.folder, 'daily-1.zip')).equals(before)).toBe(true)
  const { manifest } = await openBackup(second)
  expect(manifest).toMatchObject({ kind: 'daily', chats: [expect.any(String), expect.any(String)] })
  expect(manifest.files.map(({ name }) => name)).toContain('memories/USER.md')
  expect(await wordsIn(home.folder, ['plantedword'])).toEqual({})
})

test('a copy that cannot be read is dropped if the chat may be in it, and other files stay', async () => {
  using home = await withBackups()
  const files = ['damaged-1-state.db', 'damaged-1-state.db-wal', 'daily-3.zip', 'config-1.yaml', 'mine.txt']
  for (const name of files) writeFileSync(join(home.folder, name), 'no database')
  const chat = { sessionId: home.id, createdAt: Date.now() + 60_000 }
  const job = { home: home.home, database: home.path }
  expect(await clean({ ...job, chats: [chat] })).toMatchObject({ dropped: [] })
  const done = await clean({ ...job, chats: [{ ...chat, createdAt: 0 }] })
  expect(done.dropped.toSorted()).toEqual([
    join(home.folder, 'daily-3.zip'),
    join(home.folder, 'damaged-1-state.db'),
  ])
  expect(readdirSync(home.folder).toSorted()).toEqual([
    'config-1.yaml',
    'daily-1.zip',
    'daily-2.zip',
    'mine.txt',
  ])
})

test('a damaged database in the home stays as it is', async () => {
  using home = await withBackups()
  writeFileSync(join(home.home, 'state.safe.db'), 'no database')
  await clean({ home: home.home, database: home.path, chats: [{ sessionId: home.id, createdAt: 0 }] })
  expect(readFileSync(join(home.home, 'state.safe.db'), 'utf8')).toBe('no database')
})

test('a backup that is being made is waited for, and what a crash left of one is removed', async () => {
  using home = await withBackups()
  const making = join(home.home, 'cache', 'backup')
  mkdirSync(making, { recursive: true })
  writeFileSync(join(making, 'state.db'), 'left by a crash')
  const job = { home: home.home, database: home.path, chats: [{ sessionId: home.id, createdAt: 0 }] }
  await clean({ ...job, startedAt: Date.now() + 60_000 })
  expect(existsSync(making)).toBe(false)

  const stopping = new AbortController()
  mkdirSync(making)
  const waiting = lastOf(cleanCopies({ ...job, all: false, startedAt: 0 }, stopping.signal))
  stopping.abort()
  await expect(waiting).rejects.toThrow('aborted')
})
