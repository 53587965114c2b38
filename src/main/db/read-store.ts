import Database from 'better-sqlite3'
import { prepareConnection } from './connection.ts'
import { guardMethods } from './damage.ts'
import { asFault } from './database-faults.ts'
import { createRecallIndex, type RecallStore } from './recall-tables.ts'
import { createSessions, type SessionStore } from './sessions.ts'

/** What a search reads, in the database of a running Talaria. */
export type ReadStore = {
  recall: Omit<RecallStore, 'refresh'>
  sessions: Pick<SessionStore, 'get' | 'list'>
  /** Read several times as of one moment. In between nothing stays open that would hold up a checkpoint. */
  atOneMoment<T>(read: () => T): T
  close(): void
}

/**
 * Open a database that this process has open already, to read in a separate thread; it sees every commit. `beforeEach` is
 * called before each question to SQLite, which cannot be interrupted.
 */
export function openReadStore(
  path: string,
  { beforeEach, report }: { beforeEach(): void; report(error: unknown): void },
): ReadStore {
  const db = openReading(path)
  try {
    const connection = prepareConnection(db)
    const transaction = db.transaction((read: () => unknown) => read())
    const guard = <T extends object>(methods: T): T =>
      guardMethods(calling(beforeEach, methods), path, report)
    return {
      recall: guard(createRecallIndex(connection)),
      sessions: guard(createSessions(connection, Date.now)),
      atOneMoment: <T>(read: () => T) => transaction(read) as T,
      close: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw asFault(error, path)
  }
}

function openReading(path: string): Database.Database {
  try {
    return new Database(path, { readonly: true, fileMustExist: true, timeout: 2_000 })
  } catch (error) {
    throw asFault(error, path)
  }
}

/** The same methods, each of which calls `first` before it does anything. */
function calling<T extends object>(first: () => void, methods: T): T {
  const entries = Object.entries(methods).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      first()
      return method(...args)
    },
  ])
  return Object.fromEntries(entries) as T
}
