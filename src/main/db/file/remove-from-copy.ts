import { closeSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { forgetTexts, type Forgotten } from '../removal/forget-texts.ts'

/** The name endings of a database and of the files that SQLite may keep beside it. */
const ENDS = ['', '-wal', '-shm', '-journal']

/** The tables that hold a chat's data and need deleting; everything else is deleted with the chat's row. */
const OWNED = [
  ['sessions', 'id', ''],
  ['reviews', 'session_id', ''],
  ['proposals', 'session_id', `and state <> 'kept'`],
  ['purges', 'session_id', ''],
] as const

/**
 * Remove chats and forgotten memory from a database of any version that nothing else uses, with every byte
 * and indexed word. False if it holds none of them, unless `always` forces a rewrite. Throws SQLite's error
 * if it is damaged.
 */
export function removeFromCopy(
  path: string,
  ids: readonly string[],
  always: boolean,
  forgotten?: Forgotten,
): boolean {
  const db = new Database(path)
  try {
    const rows = db.prepare<[], { name: string }>('select name from sqlite_schema').all()
    const tables = new Set(rows.map(({ name }) => name))
    const owned = OWNED.filter(([table]) => tables.has(table))
    const list = JSON.stringify(ids)
    const chosen = 'in (select value from json_each(?))'
    const isIn = ([table, column]: (typeof OWNED)[number]) =>
      db.prepare(`select 1 from ${table} where ${column} ${chosen} limit 1`).get(list) !== undefined
    const holds = () => forgotten !== undefined && wouldForget(db, forgotten)
    if (!always && !owned.some(isIn) && !holds()) return false
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new Database.SqliteError(`${path} does not hold together`, 'SQLITE_CORRUPT')
    db.pragma('journal_mode = delete')
    db.pragma('foreign_keys = on')
    db.transaction(() => {
      if (forgotten) forgetTexts(db, forgotten)
      if (tables.has('proposals'))
        db.prepare(`update proposals set evidence = '[]' where session_id ${chosen}`).run(list)
      // Messages before chats: the triggers of the word index ask the chat whether a message is indexed.
      if (tables.has('messages')) db.prepare(`delete from messages where session_id ${chosen}`).run(list)
      for (const [table, column, rest] of owned)
        db.prepare(`delete from ${table} where ${column} ${chosen} ${rest}`).run(list)
    })()
    for (const index of ['messages_search', 'passages_search'])
      if (tables.has(index)) db.exec(`insert into ${index} (${index}) values ('optimize')`)
    db.exec('vacuum')
    return true
  } finally {
    db.close()
  }
}

/**
 * Remove the temporary chats from a copy of a database of any version, with every byte of them. Returns their
 * ids. Leaves the copy unchanged if there are none.
 */
export function removeTemporary(path: string): string[] {
  const db = new Database(path)
  let ids: string[]
  try {
    const columns = db.prepare("select name from pragma_table_info('sessions')").pluck().all()
    // Older versions have no temporary chats.
    if (!columns.includes('temporary')) return []
    ids = db.prepare<[], string>('select id from sessions where temporary = 1').pluck().all()
  } finally {
    db.close()
  }
  if (ids.length > 0) removeFromCopy(path, ids, true)
  return ids
}

/** Return whether there is anything to forget, by trying it and rolling back. */
function wouldForget(db: Database.Database, forgotten: Forgotten): boolean {
  db.exec('begin')
  try {
    return forgetTexts(db, forgotten)
  } finally {
    db.exec('rollback')
  }
}

/** Return the hashes of attachments that a database names; empty for one from before attachments. */
export function attachedIn(path: string): ReadonlySet<string> {
  const db = new Database(path, { readonly: true })
  try {
    const has = db.prepare("select 1 from sqlite_schema where name = 'attachments'").get() !== undefined
    return new Set(has ? db.prepare<[], string>('select distinct hash from attachments').pluck().all() : [])
  } finally {
    db.close()
  }
}

/** Return the paths of a database and of the files that SQLite may keep beside it. */
export const filesOfDatabase = (path: string): string[] => ENDS.map(end => path + end)

/** Return whether a file starts like a database. False for a folder or an unreadable file. */
export function isDatabase(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(15)
      readSync(file, head, 0, head.length, 0)
      return head.toString('latin1') === 'SQLite format 3'
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
