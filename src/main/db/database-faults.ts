import Database from 'better-sqlite3'
import { Fault, type FaultCode } from '../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'

/** SQLite's code of an error, empty for any other error. */
export const sqliteCode = (error: unknown) => (error instanceof Database.SqliteError ? error.code : '')

/** Whether SQLite says that the file itself is broken. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error))

/** Whether SQLite says that a statement names what the database does not have. */
export const isIncomplete = (error: unknown): boolean =>
  sqliteCode(error) === 'SQLITE_ERROR' &&
  /^no such (table|column)|has no column named/.test((error as Error).message)

/** SQLite codes as text for the user. The path of the database precedes each sentence. */
const SENTENCES: readonly (readonly [RegExp, FaultCode, string])[] = [
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'not_ready',
    'is damaged. Restart Talaria: it then checks the file and says what to do.',
  ],
  [/^SQLITE_FULL/, 'not_ready', 'cannot grow: the disk is full. Free some space and try again.'],
  [
    /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/,
    'not_ready',
    'or its folder may not be written by this user. Check who owns them.',
  ],
  [
    /^SQLITE_IOERR/,
    'not_ready',
    'cannot be read or written: the disk refuses. Check its free space and its health.',
  ],
  [/^SQLITE_(BUSY|LOCKED)/, 'busy', 'is in use by another program. Close it and try again.'],
]

/** Convert an error of SQLite or the file system into a Fault that the user can act on. Other errors stay unchanged. */
export function asFault(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error)
    return new Fault('not_ready', `${path} cannot be used: ${reasonOf(fileErrorCode(error))}.`)
  const known = SENTENCES.find(([pattern]) => pattern.test(sqliteCode(error)))
  return known ? new Fault(known[1], `${path} ${known[2]}`) : error
}
