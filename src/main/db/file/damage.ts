import { accessSync, constants, statSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { APPLICATION_ID, tablesAt, VERSION } from './migrate.ts'
import { asFault, isDamage, sqliteCode } from './database-faults.ts'

/** The same methods, with SQLite's errors turned into faults; damage is remembered for the next start. */
export function guardMethods<T extends object>(
  methods: T,
  path: string,
  report: (error: unknown) => void,
): T {
  const entries = Object.entries(methods).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      try {
        return method(...args)
      } catch (error) {
        if (isDamage(error)) rememberDamage(path, report)
        throw asFault(error, path)
      }
    },
  ])
  return Object.fromEntries(entries) as T
}

/** Files up to this size are fully checked at each start; bigger ones only after a crash or when SQLite reported damage. */
const CHECKED_BYTES = 50_000_000

/** The reason given for a database whose content does not hold together. */
export const BROKEN = 'part of it is damaged'

/** The reason given for a database that statements do not fit. */
export const INCOMPLETE = 'part of it is missing'

/** The reason given for an empty database in a home folder that was used before. */
const EMPTY = 'it is empty, although Talaria has been used with this folder'

/** Indexes that can be rebuilt from the messages (`store.ts`). */
const INDEXES = ['messages_search', 'passages_search']

/** The state of a database file. `index`: only a word index is broken, and can be rebuilt. */
type Finding = { state: 'sound' } | { state: 'index' } | { state: 'damaged'; reason: string }

/**
 * Inspect a database without changing it. Throws a `not_ready` Fault when a newer Talaria wrote it, or when
 * its folder cannot be used.
 */
export function inspectDatabase(path: string): Finding {
  const size = sizeOf(path)
  if (typeof size === 'string') return { state: 'damaged', reason: size }
  // SQLite removes the log when the last user closes the database, so one with content means an unclean end.
  const logSize = sizeOf(`${path}-wal`)
  const hasLog = typeof logSize === 'number' && logSize > 0
  if (size === 0) return judgeEmpty(path, hasLog)
  const unclean = hasLog || wasFoundDamaged(path)

  let db: Database.Database | undefined
  try {
    db = new Database(path, { readonly: true, fileMustExist: true })
    return judge(db, unclean || size <= CHECKED_BYTES)
  } catch (error) {
    if (!isDamage(error)) throw asFault(error, path)
    return {
      state: 'damaged',
      reason: sqliteCode(error) === 'SQLITE_NOTADB' ? 'it is not a database' : BROKEN,
    }
  } finally {
    db?.close()
  }
}

/** A missing file is a first start, or a person who wants to start over. An empty one has lost its content. */
function judgeEmpty(path: string, hasLog: boolean): Finding {
  // SQLite deletes the log of an empty database when it opens it, so such a database is not opened.
  if (hasLog) return { state: 'damaged', reason: 'it is empty or missing, although its log exists' }
  return existsSync(path) && wasUsed(dirname(path)) ? { state: 'damaged', reason: EMPTY } : { state: 'sound' }
}

/** Whether a home folder holds a backup, a memory or a log. */
const wasUsed = (home: string): boolean =>
  ['backups', 'memories', 'logs'].some(name => holdsText(join(home, name)))

const holdsText = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    entry => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0,
  )

function judge(db: Database.Database, thoroughly: boolean): Finding {
  const version = db.pragma('user_version', { simple: true }) as number
  const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID
  const tables = new Set(
    db.prepare<[], string>(`select name from sqlite_schema where type = 'table'`).pluck().all(),
  )
  if (!isOurs && (version > 0 || tables.size > 0))
    return { state: 'damaged', reason: 'another program made it' }
  if (version === 0 && wasUsed(dirname(db.name))) return { state: 'damaged', reason: EMPTY }
  if (version > VERSION) {
    throw new Fault(
      'not_ready',
      `${db.name} was written by a newer Talaria (its version is ${version}, this one knows ${VERSION}). Update Talaria, or choose another home folder with --home.`,
    )
  }
  const missing = tablesAt(version).find(name => !tables.has(name))
  if (missing !== undefined) return { state: 'damaged', reason: `its table “${missing}” is missing` }
  const flaws = thoroughly
    ? (db.pragma('quick_check(20)') as { quick_check: string }[]).map(row => row.quick_check)
    : ['ok']
  if (flaws[0] === 'ok') return { state: 'sound' }
  if (flaws.every(flaw => INDEXES.some(index => flaw.includes(index)))) return { state: 'index' }
  return { state: 'damaged', reason: BROKEN }
}

/** The size of a file, 0 when there is none, or why it cannot be used. */
function sizeOf(path: string): number | string {
  try {
    const stats = statSync(path)
    accessSync(path, constants.R_OK | constants.W_OK)
    return stats.isFile() ? stats.size : 'it is not a file'
  } catch (error) {
    const code = fileErrorCode(error)
    return code === 'ENOENT' ? 0 : reasonOf(code)
  }
}

// A damaged page may be met long after the start, in a file that is too big to be checked at each start.
const markOf = (path: string) => `${path}.check`

/** Mark the file for a full check at the next start. */
function rememberDamage(path: string, report: (error: unknown) => void): void {
  try {
    writeFileSync(markOf(path), 'While this file is here, Talaria checks the database when it starts.\n')
  } catch (error) {
    report(error)
  }
}

/** Whether SQLite reported damage when the file was last open. */
const wasFoundDamaged = (path: string): boolean => existsSync(markOf(path))

/** Clear the mark after a successful check. */
export const forgetDamage = (path: string): void => rmSync(markOf(path), { force: true })
