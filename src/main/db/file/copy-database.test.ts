import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aChat, aFolder, aStore, open, user } from '../../../../testing/db/a-store.ts'
import { checkDatabase, copyDatabase } from './copy-database.ts'
import { VERSION } from './migrate.ts'

const quietly = { signal: new AbortController().signal, onProgress: () => {} }

test('a copy is a complete, private database in one file', async () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'hello'))
  using other = aFolder()
  const target = join(other.path, 'state.db')
  expect(await copyDatabase(store.path, target, quietly)).toEqual({ version: VERSION, chats: [id] })
  if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(existsSync(`${target}-wal`)).toBe(false)
  const { store: copy } = open(other.path)
  expect(copy.messages.history(id)).toEqual(store.messages.history(id))
  copy.close()
})

test('a copy into a folder that does not exist is refused in words', async () => {
  using store = aStore()
  await expect(copyDatabase(store.path, join(store.home, 'none', 'state.db'), quietly)).rejects.toThrow(
    'cannot be used: its folder does not exist',
  )
})

/** A database of another program. */
function anotherProgram(path: string): void {
  const db = new Database(path)
  db.exec('create table t (a)')
  db.close()
}

test.for([
  ['no database', (path: string) => writeFileSync(path, 'text '.repeat(500)), 'it is not a database'],
  ['of another program', anotherProgram, 'it is not a Talaria database'],
] as const)('a file that is %s is refused in words', ([, make, words]) => {
  using folder = aFolder()
  const path = join(folder.path, 'state.db')
  make(path)
  expect(() => checkDatabase(path)).toThrow(`${path} cannot be used: ${words}.`)
})
