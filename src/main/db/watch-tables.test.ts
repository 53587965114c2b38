import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInMemory, type Connection } from './connection.ts'
import { migrateDatabase } from './file/migrate.ts'
import { watchTables, type TableChanges } from './watch-tables.ts'
import { UNWATCHED_TABLES, WATCHED_TABLES } from './watched-tables.ts'

let connection: Connection
let told: TableChanges[]

beforeEach(() => {
  connection = openInMemory()
  migrateDatabase(connection, '', 0)
  told = []
})
afterEach(() => connection.db.close())

const addProject = (id: string) =>
  connection.db
    .prepare(
      `insert into projects (id, name, folder, instructions, model, skills, notes, created_at, updated_at)
       values (?, 'Garden', null, '', null, null, '', 0, 0)`,
    )
    .run(id)
const watch = () => {
  watchTables(connection, WATCHED_TABLES).subscribe(changes => told.push(changes))
}
/** Changes are announced in a microtask that runs before this one ends. */
const settled = () => Promise.resolve()

test('every table of the database is watched, or has a reason why not', () => {
  const tables = connection.db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all() as { name: string }[]
  const known = new Set([...Object.keys(WATCHED_TABLES), ...Object.keys(UNWATCHED_TABLES)])
  const isIndex = (name: string) => /^(?:messages|passages)_search/.test(name)
  expect(tables.map(({ name }) => name).filter(name => !isIndex(name) && !known.has(name))).toEqual([])
  expect([...known].filter(name => !tables.some(each => each.name === name))).toEqual([])
})

test('all writes of a transaction are told at once, with the rows that changed', async () => {
  watch()
  connection.atomically(() => {
    addProject('p1')
    addProject('p2')
    connection.db.exec("update projects set name = 'Kitchen' where id = 'p1'")
    expect(told).toEqual([])
  })
  connection.db.exec("delete from projects where id = 'p2'")
  await settled()
  expect(told).toEqual([new Map([['projects', new Set(['p1', 'p2'])]])])
  connection.db.exec("delete from projects where id = 'p1'")
  await settled()
  expect(told).toHaveLength(2)
})

test('a column that is left out is not told, any other is', async () => {
  connection.db.exec(
    `insert into sessions (id, origin, model, workspace, created_at, updated_at) values ('c1', 'chat', 'm', '/w', 0, 0)`,
  )
  watch()
  connection.db.exec("update sessions set seen_at = 5 where id = 'c1'")
  await settled()
  expect(told).toEqual([])
  connection.db.exec("update sessions set title = 'Tea', seen_at = 6 where id = 'c1'")
  await settled()
  expect(told).toEqual([new Map([['sessions', new Set(['c1'])]])])
})

test('the triggers are not stored in the database file', () => {
  watch()
  addProject('p1')
  expect(connection.db.prepare("select name from sqlite_schema where name like 'watch_%'").all()).toEqual([])
})
