import { join } from 'node:path'
import Database from 'better-sqlite3'

/** What the host has stored: the first column of a question to its database. */
export function kept(home: string, question: string): unknown[] {
  const database = new Database(join(home, 'state.db'), { readonly: true })
  try {
    return database.prepare(question).pluck().all()
  } finally {
    database.close()
  }
}
