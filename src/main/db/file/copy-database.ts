import { closeSync, openSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Fault } from '../../../shared/rpc.ts'
import { asFault, isDamage, sqliteCode } from './database-faults.ts'
import { BROKEN } from './damage.ts'
import { APPLICATION_ID, VERSION } from './migrate.ts'

/** How many pages to copy between checks of `signal`. */
const PAGES = 256

type CopyOptions = {
  signal: AbortSignal
  /** Called between steps with the copied share, 0 to 1. */
  onProgress: (share: number) => void
}

/** A complete copy: its version, and the ids of its chats. */
export type DatabaseCopy = { version: number; chats: string[] }

/**
 * Copy the database of a running Talaria as of one moment, in small steps, while others write to it; then
 * check the copy. Meant for a separate thread. Throws a `not_ready` Fault if it cannot be read or written, or
 * is damaged.
 */
export async function copyDatabase(from: string, to: string, options: CopyOptions): Promise<DatabaseCopy> {
  let db: Database.Database | undefined
  try {
    // Create the file with this mode first; one made by SQLite would be readable by others.
    closeSync(openSync(to, 'w', 0o600))
    db = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 })
    // All steps see the moment of this read. Without it, each write of the host would restart the copy.
    db.exec('begin')
    db.prepare('select 1 from sqlite_schema').get()
    await db.backup(to, {
      progress({ totalPages, remainingPages }) {
        options.signal.throwIfAborted()
        options.onProgress(totalPages === 0 ? 0 : 1 - remainingPages / totalPages)
        return PAGES
      },
    })
    return checkDatabase(to)
  } catch (error) {
    rmSync(to, { force: true })
    throw options.signal.aborted ? options.signal.reason : asFault(error, to)
  } finally {
    db?.close()
  }
}

/**
 * Check a database that nothing else uses, and make it a single file. Throws a `not_ready` Fault about `name`
 * if it cannot be used: it is damaged, or from another program or a newer Talaria.
 */
export function checkDatabase(path: string, name = path): DatabaseCopy {
  const refuse = (why: string) => new Fault('not_ready', `${name} cannot be used: ${why}.`)
  let db: Database.Database | undefined
  try {
    db = new Database(path, { fileMustExist: true })
    db.pragma('trusted_schema = off')
    db.pragma('journal_mode = delete')
    const version = db.pragma('user_version', { simple: true }) as number
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      throw refuse('it is not a Talaria database')
    if (version > VERSION) throw refuse('a newer Talaria wrote it. Update Talaria first')
    const [flaw] = db.pragma('quick_check(1)') as { quick_check: string }[]
    if (flaw?.quick_check !== 'ok') throw refuse(BROKEN)
    const chats = db.prepare<[], { id: string }>('select id from sessions order by id').all()
    return { version, chats: chats.map(({ id }) => id) }
  } catch (error) {
    if (sqliteCode(error) === 'SQLITE_NOTADB') throw refuse('it is not a database')
    if (isDamage(error)) throw refuse(BROKEN)
    throw asFault(error, name)
  } finally {
    db?.close()
  }
}
