import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBackupJob, aHome, lastOf } from '../../../testing/data/a-home.ts'
import { aFolder } from '../../../testing/db/a-store.ts'
import { workOnData } from './work-on-data.ts'

const never = new AbortController().signal

test('a backup is made and restored in a thread', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'backup.zip')
  expect(await lastOf(workOnData('backup', aBackupJob(home, target), never))).toMatchObject({
    type: 'done',
    chats: 2,
  })
  const folder = join(elsewhere.path, 'new')
  expect(await lastOf(workOnData('restore', { path: target, folder }, never))).toMatchObject({
    type: 'done',
    folder,
  })
  expect(existsSync(join(folder, 'state.db'))).toBe(true)
})

test('a refusal of the thread arrives as it was said', async () => {
  using home = aHome()
  using elsewhere = aFolder()
  const target = join(elsewhere.path, 'mine.zip')
  writeFileSync(target, 'mine')
  await expect(lastOf(workOnData('backup', aBackupJob(home, target), never))).rejects.toMatchObject({
    code: 'bad_input',
    message: `${target} already exists. Choose another name.`,
  })
})

test('stopping the thread cleans up before it is over', async () => {
  using home = aHome({ messages: 400 })
  using elsewhere = aFolder()
  const stopping = new AbortController()
  const work = workOnData('backup', aBackupJob(home, join(elsewhere.path, 'backup.zip')), stopping.signal)
  const first = work.next()
  stopping.abort()
  await expect(first.then(() => lastOf(work))).rejects.toMatchObject({ code: 'cancelled' })
  expect(readdirSync(elsewhere.path)).toEqual([])
})
