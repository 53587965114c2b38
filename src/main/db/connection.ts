import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { newMark } from '../untrusted/strangers-marks.ts'
import { readOldReason } from './read-old-reason.ts'
import { strangersIn } from '../untrusted/strangers-text.ts'

/**
 * An open database and its two kinds of write; both are all or nothing.
 *
 * A parameter of a frequent statement is written `+?` if it is a limit, or is compared in a statement over a
 * table with a partial index. SQLite reads the value of a bare one to choose a plan, so it makes a new plan
 * for each value. That takes ten times as long as most of our statements (`sqlite3VdbeSetVarmask` in its
 * `vdbeapi.c`, reached from `exprCompareVariable` and `sqlite3ExprIsInteger` in `expr.c`).
 */
export type Connection = {
  readonly db: Database.Database
  /** Run as a transaction that survives the end of this process, however it ends. */
  readonly atomically: <T>(work: () => T) => T
  /** Run as a transaction that survives a power cut too. */
  readonly durably: <T>(work: () => T) => T
}

/** How long a statement waits for another connection, in ms. */
const BUSY_MS = 2_000

/** Open a database for writing. Creates a missing one for this user only. */
export function openConnection(path: string): Connection {
  // SQLite gives the log and the shared memory the mode of the database.
  closeSync(openSync(path, 'a', 0o600))
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  const db = new Database(path, { timeout: BUSY_MS })
  try {
    const mode = db.pragma('journal_mode = wal', { simple: true })
    // In WAL mode, `normal` loses nothing if a process is killed: commits are with the system. It may lose
    // the last commits in a power cut. Texts of users and models are therefore committed with `full`: one
    // fsync of the log, which also covers every earlier commit. Run events come every frame and may be lost
    // with the power.
    const quick = mode === 'wal' ? 'normal' : 'full'
    db.pragma(`synchronous = ${quick}`)
    db.pragma('foreign_keys = on')
    db.pragma('journal_size_limit = 16777216')
    // Overwrite deleted rows with zeros.
    db.pragma('secure_delete = on')
    return prepareConnection(db, quick)
  } catch (error) {
    db.close()
    throw error
  }
}

/** Open an empty database in memory. It is gone once its connection closes. */
export function openInMemory(): Connection {
  const db = new Database(':memory:')
  db.pragma('foreign_keys = on')
  const { atomically } = prepareConnection(db)
  // There is nothing to sync.
  return { db, atomically, durably: work => (db.inTransaction ? work() : atomically(work)) }
}

/** Prepare a connection. `quick`: how to sync commits that only have to survive this process. */
export function prepareConnection(db: Database.Database, quick: 'normal' | 'full' = 'normal'): Connection {
  db.function('fold', { deterministic: true }, text => String(text).toLowerCase())
  // For the migration that reads the frames of older texts, once.
  db.function('marks_of_frames', text => {
    const found = strangersIn(String(text)).map(newMark)
    return found.length === 0 ? null : JSON.stringify(found)
  })
  // For the migration that reads the sentences of older calls, once.
  db.function('record_of_reason', (reason, tool, text, path) =>
    JSON.stringify(
      readOldReason(
        String(reason ?? ''),
        String(tool ?? ''),
        String(text ?? ''),
        typeof path === 'string' ? path : null,
      ),
    ),
  )
  const transaction = db.transaction((work: () => unknown) => work())
  const atomically = <T>(work: () => T) => transaction.immediate(work) as T
  return {
    db,
    atomically,
    durably(work) {
      if (db.inTransaction) return work()
      db.pragma('synchronous = full')
      try {
        return atomically(work)
      } finally {
        db.pragma(`synchronous = ${quick}`)
      }
    },
  }
}

/**
 * Write the log into the file and empty it, unless a search is reading: a checkpoint that waits for a reader
 * blocks everything. Returns whether the log is empty.
 */
export function emptyLog(db: Database.Database): boolean {
  db.pragma('busy_timeout = 0')
  try {
    const [answer] = db.pragma('wal_checkpoint(truncate)') as { busy: number }[]
    return answer?.busy === 0
  } finally {
    db.pragma(`busy_timeout = ${BUSY_MS}`)
  }
}
