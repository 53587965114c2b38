import type { Connection } from './connection.ts'
import { createTopic, type Topic } from '../lib/topic.ts'

/** Changes by table: the names of the changed rows. @internal The test of the feed makes some. */
export type TableChanges = ReadonlyMap<string, ReadonlySet<string>>

/** Announces written rows; see `watchTables`. */
export type TableWatch = Pick<Topic<TableChanges>, 'subscribe'>

/** How a table is watched: the column that names a row, and the columns whose writes are not announced. */
type Watched = { id: string; except?: readonly string[] }

/**
 * Announce changes of tables after they are committed. Writers need not do anything: temporary triggers,
 * which only this connection has, note each row. Transactions are synchronous, so a microtask runs after the
 * commit. Rolled-back changes are announced too; readers then find nothing new.
 */
export function watchTables(connection: Connection, tables: Readonly<Record<string, Watched>>): TableWatch {
  const topic = createTopic<TableChanges>()
  let noted = new Map<string, Set<string>>()
  const tell = () => {
    const changes = noted
    noted = new Map()
    topic.publish(changes)
  }
  const { db } = connection
  db.function('note_change', (table, id) => {
    if (noted.size === 0) queueMicrotask(tell)
    const ids = noted.get(String(table)) ?? new Set()
    noted.set(String(table), ids.add(String(id)))
    return null
  })
  for (const [table, watched] of Object.entries(tables)) db.exec(triggersOf(db, table, watched))
  return topic
}

function triggersOf(db: Connection['db'], table: string, { id, except = [] }: Watched): string {
  const columns = db.pragma(`table_info(${table})`) as { name: string }[]
  const told = columns.map(({ name }) => name).filter(name => !except.includes(name))
  const valuesOf = (of: 'new' | 'old') => `(${told.map(name => `${of}.${name}`).join(', ')})`
  // A statement may name all columns and change only one of them.
  const differs = except.length === 0 ? '' : `when ${valuesOf('new')} is not ${valuesOf('old')}`
  const trigger = (write: string, row: 'new' | 'old', when = '') =>
    `create temp trigger watch_${table}_${write} after ${write} on main.${table} ${when}
     begin select note_change('${table}', ${row}.${id}); end;`
  return [trigger('insert', 'new'), trigger('update', 'new', differs), trigger('delete', 'old')].join('\n')
}
