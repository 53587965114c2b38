import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aBackupJob, addChat, aHome, lastOf, putFiles } from '../../../../testing/data/a-home.ts'
import { aFolder, aStore, open } from '../../../../testing/db/a-store.ts'
import { openBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { rewriteBackup } from '../clean-copies.ts'
import { writeBackup, type BackupJob } from './write-backup.ts'

const never = new AbortController().signal

const backUp = (store: ReturnType<typeof aStore>, target: string, given: Partial<BackupJob> = {}) =>
  lastOf(writeBackup(aBackupJob(store, target, given), never))
const restore = (path: string, folder: string) => lastOf(restoreBackup({ path, folder }, never))

test('a restored backup is a home with the same chats, notes, skills and settings', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  const folder = join(elsewhere.path, 'new')
  expect(await backUp(home, target)).toMatchObject({ type: 'done', path: target, chats: 2 })
  expect(await restore(target, folder)).toMatchObject({ type: 'done', folder, chats: 2 })

  const { store, notices } = open(folder)
  expect(notices).toEqual([])
  const chats = (each: typeof store) =>
    each.sessions.list({ query: '', limit: 9, offset: 0 }).sessions.map(({ id }) => each.messages.history(id))
  expect(chats(store)).toEqual(chats(home))
  store.close()
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  for (const name of [
    'memories/USER.md',
    'memories/projects/0a1b2c/MEMORY.md',
    'skills/tea/SKILL.md',
    'SOUL.md',
    'agents/reviewer.md',
  ])
    expect(text(name)).toBe(readFileSync(join(home.home, name), 'utf8'))
  expect(text('workspace/notes.md')).toBe('A note.')
  expect(readdirSync(folder).filter(name => !name.startsWith('state.db'))).toEqual([
    'SOUL.md',
    'agents',
    'config.yaml',
    'memories',
    'permissions.json',
    'skills',
    'trajectories',
    'workspace',
  ])
})

test('keys, models and logs are left out, and the backup says so, but not of what nobody would miss', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  await backUp(home, target)
  expect(readFileSync(target).includes('planted-key')).toBe(false)
  const { manifest } = await openBackup(target)
  expect(manifest.hasKeys).toBe(false)
  expect(manifest.leftOut.map(({ path }) => path)).toEqual([
    '.env',
    'inbox',
    'logs',
    'models',
    'workspace/.env',
  ])
  expect(manifest.files.map(({ name }) => name)).not.toContain('.env')
})

test('a working folder outside the home is named as left out, unless no files are wanted', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const given = { elsewhere: '/work/garden' }
  await backUp(home, join(elsewhere.path, 'backup.zip'), given)
  const { manifest } = await openBackup(join(elsewhere.path, 'backup.zip'))
  expect(manifest.leftOut[0]).toEqual({
    path: '/work/garden',
    why: 'it is not inside Talaria’s folder, so copy it yourself',
  })
  const without = { ...given, wanted: { keys: false, files: false } }
  await backUp(home, join(elsewhere.path, 'without.zip'), without)
  const { manifest: less } = await openBackup(join(elsewhere.path, 'without.zip'))
  expect(less.leftOut.map(({ path }) => path)).not.toContain('/work/garden')
})

test('keys are in it when they were asked for', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  await backUp(home, target, { wanted: { keys: true, files: true } })
  await restore(target, join(elsewhere.path, 'new'))
  expect(readFileSync(join(elsewhere.path, 'new', '.env'), 'utf8')).toContain('planted-key')
  if (process.platform !== 'win32') {
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(statSync(join(elsewhere.path, 'new', '.env')).mode & 0o777).toBe(0o600)
    expect(statSync(join(elsewhere.path, 'new')).mode & 0o777).toBe(0o700)
  }
})

test('a backup while people chat holds one moment', async () => {
  using home = aHome({ chats: 1, messages: 200 })
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  const writing = backUp(home, target)
  const ids: string[] = []
  const state = { isOver: false }
  const over = writing.finally(() => (state.isOver = true))
  while (!state.isOver) {
    ids.push(addChat(home, 'Meanwhile'))
    await new Promise(setImmediate)
  }
  await over
  await restore(target, join(elsewhere.path, 'new'))
  const { store, notices } = open(join(elsewhere.path, 'new'))
  expect(notices).toEqual([])
  const { manifest } = await openBackup(target)
  const copied = ids.filter(id => store.sessions.get(id))
  // Whole chats, up to one moment.
  expect(copied).toEqual(ids.slice(0, copied.length))
  expect(manifest.chats.length).toBe(copied.length + 1)
  for (const id of copied.slice(0, -1)) expect(store.messages.history(id)).toHaveLength(2)
  store.close()
})

test('the folders of chats on messengers go with the working folder', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  putFiles(home.home, { 'messenger/telegram-0a1b/notes.txt': 'From the phone.' })
  await backUp(home, target)
  const { manifest } = await openBackup(target)
  expect(manifest.leftOut.map(({ path }) => path)).not.toContain('messenger')
  await restore(target, join(elsewhere.path, 'new'))
  const restored = join(elsewhere.path, 'new', 'messenger/telegram-0a1b/notes.txt')
  expect(readFileSync(restored, 'utf8')).toBe('From the phone.')
})

test('nothing is overwritten: neither a file by a backup nor a folder by a restored one', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  writeFileSync(target, 'mine')
  await expect(backUp(home, target)).rejects.toThrow('already exists')
  expect(readFileSync(target, 'utf8')).toBe('mine')
  await backUp(home, join(elsewhere.path, 'good.zip'))
  putFiles(elsewhere.path, { 'used/mine.txt': 'mine' })
  await expect(restore(join(elsewhere.path, 'good.zip'), join(elsewhere.path, 'used'))).rejects.toThrow(
    'is not empty',
  )
  mkdirSync(join(elsewhere.path, 'empty'))
  await restore(join(elsewhere.path, 'good.zip'), join(elsewhere.path, 'empty'))
  expect(existsSync(join(elsewhere.path, 'empty', 'state.db'))).toBe(true)
})

test.skipIf(process.platform === 'win32')('links inside a home are left out', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  putFiles(elsewhere.path, { 'secret.txt': 'not ours' })
  symlinkSync(join(elsewhere.path, 'secret.txt'), join(home.home, 'workspace', 'link.txt'))
  symlinkSync('..', join(home.home, 'workspace', 'loop'))
  await backUp(home, join(elsewhere.path, 'backup.zip'))
  const { manifest } = await openBackup(join(elsewhere.path, 'backup.zip'))
  expect(manifest.leftOut).toEqual(
    expect.arrayContaining([
      { path: 'workspace/link.txt', why: 'it is a link' },
      { path: 'workspace/loop', why: 'it is a link' },
    ]),
  )
})

test('a stopped backup leaves nothing', async () => {
  using home = aHome({ messages: 400 })
  using elsewhere = aFolder()
  const stopping = new AbortController()
  const work = writeBackup(aBackupJob(home, join(elsewhere.path, 'backup.zip')), stopping.signal)
  const next = work.next()
  stopping.abort(new Error('stopped'))
  await expect(next.then(() => work.next())).rejects.toThrow('stopped')
  expect(readdirSync(elsewhere.path)).toEqual([])
  expect(existsSync(join(home.home, 'cache', 'backup'))).toBe(false)
})

test('a rewritten backup has the changed database and everything else', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  await backUp(home, target)
  const before = (await openBackup(target)).manifest
  const [gone] = before.chats
  await rewriteBackup(target, {
    scratch: join(elsewhere.path, 'scratch'),
    change(database) {
      const db = new Database(database)
      db.prepare('delete from sessions where id = ?').run(gone)
      db.close()
    },
    signal: never,
  })
  expect(readdirSync(elsewhere.path)).toEqual(['backup.zip'])
  const { manifest } = await openBackup(target)
  expect(manifest.chats).toEqual(before.chats.slice(1))
  const names = (each: typeof manifest) => each.files.map(({ name }) => name)
  expect(names(manifest)).toEqual(names(before))
  await restore(target, join(elsewhere.path, 'new'))
  expect(readFileSync(join(elsewhere.path, 'new', 'SOUL.md'), 'utf8')).toBe('Be kind.')
})

test('a rewrite that fails leaves the old backup', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  await backUp(home, target)
  const bytes = readFileSync(target)
  const change = () => {
    throw new Error('no')
  }
  const rewriting = rewriteBackup(target, { scratch: join(elsewhere.path, 'scratch'), change, signal: never })
  await expect(rewriting).rejects.toThrow('no')
  expect(readdirSync(elsewhere.path)).toEqual(['backup.zip'])
  expect(readFileSync(target).equals(bytes)).toBe(true)
})
