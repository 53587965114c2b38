import Database from 'better-sqlite3'
import { constants, statSync, copyFileSync, existsSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Fault, type FaultCode } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf, type SystemData } from '../../lib/expected-errors.ts'
import type { Notice } from '../../../shared/contract/app.ts'
import { backupFolder, fileTime } from '../../lib/disk/durable-files.ts'

/** Return the SQLite code of an error; empty for any other error. */
export const sqliteCode = (error: unknown) => (error instanceof Database.SqliteError ? error.code : '')

/** Return whether SQLite reports that the file itself is broken. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error))

/** Return whether SQLite reports that a statement names something the database lacks. */
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
    'or its folder is not writable by this user. Check who owns them.',
  ],
  [
    /^SQLITE_IOERR/,
    'not_ready',
    'cannot be read or written: the disk reports an error. Check its free space and its health.',
  ],
  [/^SQLITE_(BUSY|LOCKED)/, 'busy', 'is in use by another program. Close it and try again.'],
]

/** Convert an SQLite or file-system error to a Fault that the user can act on. Others stay unchanged. */
export function asFault(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error) {
    const system = fileErrorCode(error)
    const data: SystemData = { system }
    return new Fault('not_ready', `${path} cannot be used: ${reasonOf(system)}.`, data)
  }
  const code = sqliteCode(error)
  const known = SENTENCES.find(([pattern]) => pattern.test(code))
  if (!known) return error
  const data: SystemData = { system: code === 'SQLITE_FULL' ? 'ENOSPC' : code }
  return new Fault(known[1], `${path} ${known[2]}`, data)
}

/** The notice after the word index was rebuilt. */
export const REBUILT: Notice = {
  id: 'store-index',
  level: 'info',
  text: 'The search index of your chats was damaged and has been rebuilt. No chat was lost.',
  fix: '',
}

/** Copy a damaged database, and return a notice with its path and the next steps. */
export function damageNotice(
  home: string,
  path: string,
  reason: string,
  report: (error: unknown) => void,
): Notice {
  const copy = keepCopy(home, path, report)
  return {
    id: `store-damaged-${basename(path)}`,
    level: 'error',
    text: `${path} cannot be read (${reason}). It was left unchanged, and new chats are stored in a second file next to it.`,
    fix: [
      copy ? `A copy is in ${copy}.` : 'No copy could be made.',
      `To get older chats back, restore a daily backup (Settings > Data), or close Talaria and put a database from ${join(home, 'backups')} in its place${
        existsSync(`${path}-wal`) ? `, and move ${basename(path)}-wal away` : ''
      }.`,
      'To start over, move it away.',
    ].join(' '),
  }
}

/** A notice about chats that were created while the main database was unusable. */
export function safeNotice(home: string, names: readonly string[]): Notice[] {
  const used = names.filter(name => existsSync(join(home, name)))
  if (used.length === 0) return []
  const text = `Chats created while the database was damaged are in ${used.join(', ')} and are not shown.`
  return [{ id: 'store-safe', level: 'info', text, fix: `They stay in ${home} until you delete them.` }]
}

/** Copy a damaged database and its log into `backups/`, once per state; undefined if that fails. */
function keepCopy(home: string, path: string, report: (error: unknown) => void): string | undefined {
  try {
    const parts = ['', '-wal'].filter(part => existsSync(path + part))
    const { mtimeMs, size } = statSync(path + (parts[0] ?? ''))
    const copy = join(backupFolder(home), `damaged-${fileTime(mtimeMs)}-${size}-${basename(path)}`)
    for (const part of parts) {
      if (existsSync(copy + part)) continue
      copyFileSync(path + part, `${copy}${part}.part`, constants.COPYFILE_FICLONE)
      renameSync(`${copy}${part}.part`, copy + part)
    }
    return copy + parts[0]
  } catch (error) {
    report(error)
    return undefined
  }
}
