import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChat, aFolder, open, user } from '../../../../testing/db/a-store.ts'

test.for([
  ['empty', (path: string): void => truncateSync(path)],
  ['gone', (path: string): void => rmSync(path)],
] as const)('a database that is %s, although its log is there, keeps its log', ([, spoil]) => {
  using home = aFolder()
  using copy = aFolder()
  const { store } = open(home.path)
  store.messages.append(user(aChat(store).id, 'in the log only'))
  for (const name of ['state.db', 'state.db-wal']) cpSync(join(home.path, name), join(copy.path, name))
  store.close()
  const path = join(copy.path, 'state.db')
  spoil(path)
  const log = readFileSync(`${path}-wal`)
  const { store: beside, notices } = open(copy.path)
  beside.close()
  expect(notices.map(({ text }) => text)).toEqual([expect.stringContaining('although its log is there')])
  expect(readFileSync(`${path}-wal`).equals(log)).toBe(true)
  const kept = readdirSync(join(copy.path, 'backups')).find(name => name.endsWith('-wal'))!
  expect(readFileSync(join(copy.path, 'backups', kept)).equals(log)).toBe(true)
})

test.for([
  ['in a new home', (home: string): void => writeFileSync(join(home, 'state.db'), '')],
  [
    'beside empty folders',
    (home: string): void => {
      writeFileSync(join(home, 'state.db'), '')
      for (const name of ['backups', 'logs', 'memories']) mkdirSync(join(home, name))
    },
  ],
  [
    'that was moved away from a used home',
    (home: string): void => {
      mkdirSync(join(home, 'memories'))
      writeFileSync(join(home, 'memories/USER.md'), 'Likes tea.')
    },
  ],
] as const)('an empty database %s is a first start', ([, arrange]) => {
  using home = aFolder()
  arrange(home.path)
  const { store, notices } = open(home.path)
  store.close()
  expect([notices, existsSync(join(home.path, 'state.safe.db'))]).toEqual([[], false])
})

test('a new database that could not be made leaves no empty file behind', () => {
  using home = aFolder()
  // A folder in place of the log lets SQLite create the file, but not open it.
  mkdirSync(join(home.path, 'state.db-wal'))
  expect(() => open(home.path)).toThrow()
  expect(existsSync(join(home.path, 'state.db'))).toBe(false)
})
