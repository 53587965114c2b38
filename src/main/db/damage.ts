import {
  accessSync,
  constants,
  statSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault, type FaultCode } from '../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { APPLICATION_ID, VERSION } from './migrate.ts'
import type { Notice } from '../../shared/contract/app.ts'
import { backupFolder, fileTime } from '../lib/durable-files.ts'

const codeOf = (error: unknown) => (error instanceof Database.SqliteError ? error.code : '')

/** Whether SQLite says that the file itself is broken. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

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
  const known = SENTENCES.find(([pattern]) => pattern.test(codeOf(error)))
  return known ? new Fault(known[1], `${path} ${known[2]}`) : error
}

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
export const BROKEN = 'a part of it is broken'

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
  const logSize = sizeOf(`${path}-wal`)
  // SQLite removes the log when the last user closes the database, so one with content means an unclean end.
  const unclean = (typeof logSize === 'number' && logSize > 0) || wasFoundDamaged(path)
  if (size === 0 && logSize === 0) return { state: 'sound' }

  let db: Database.Database | undefined
  try {
    db = new Database(path, { readonly: true, fileMustExist: true })
    return judge(db, unclean || size <= CHECKED_BYTES)
  } catch (error) {
    if (!isDamage(error)) throw asFault(error, path)
    return { state: 'damaged', reason: codeOf(error) === 'SQLITE_NOTADB' ? 'it is not a database' : BROKEN }
  } finally {
    db?.close()
  }
}

function judge(db: Database.Database, thoroughly: boolean): Finding {
  const version = db.pragma('user_version', { simple: true }) as number
  const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID
  const tables = db.prepare<[], { n: number }>('select count(*) as n from sqlite_schema').get()!.n
  if (!isOurs && (version > 0 || tables > 0)) return { state: 'damaged', reason: 'another program made it' }
  if (version > VERSION) {
    throw new Fault(
      'not_ready',
      `${db.name} was written by a newer Talaria (its version is ${version}, this one knows ${VERSION}). Update Talaria, or choose another home folder with --home.`,
    )
  }
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
    text: `${path} cannot be read (${reason}). It was left unchanged, and new chats are stored in another file beside it.`,
    fix: [
      copy ? `A copy is in ${copy}.` : 'No copy could be made.',
      `To get older chats back, close Talaria and put a backup from ${join(home, 'backups')} in its place.`,
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

/** Copy a damaged database and its log into `backups/`, once for each state of the file; undefined when that fails. */
function keepCopy(home: string, path: string, report: (error: unknown) => void): string | undefined {
  try {
    const { mtimeMs, size } = statSync(path)
    const copy = join(backupFolder(home), `damaged-${fileTime(mtimeMs)}-${size}-${basename(path)}`)
    for (const part of ['', '-wal']) {
      if (!existsSync(path + part) || existsSync(copy + part)) continue
      copyFileSync(path + part, `${copy}${part}.part`, constants.COPYFILE_FICLONE)
      renameSync(`${copy}${part}.part`, copy + part)
    }
    return copy
  } catch (error) {
    report(error)
    return undefined
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
