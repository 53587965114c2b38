import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Query the host's database and return the first column. */
export function queryDatabase(home: string, question: string): unknown[] {
  const database = new Database(join(home, 'state.db'), { readonly: true })
  try {
    return database.prepare(question).pluck().all()
  } finally {
    database.close()
  }
}
