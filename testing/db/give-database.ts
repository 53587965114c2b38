import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection } from '../../src/main/db/connection.ts'
import { migrateDatabase } from '../../src/main/db/file/migrate.ts'

let made: Buffer | undefined

/**
 * Give a folder without a database a copy of a new one. A first start makes the same, in longer than all the rest of
 * opening it, and thousands of tests begin with a home of their own.
 */
export function giveDatabase(home: string): void {
  const path = join(home, 'state.db')
  if (existsSync(home) && !existsSync(path)) writeFileSync(path, (made ??= newDatabase()), { mode: 0o600 })
}

function newDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-new-database-'))
  try {
    const connection = openConnection(join(folder, 'state.db'))
    migrateDatabase(connection, folder, 0)
    const bytes = connection.db.serialize()
    connection.db.close()
    return bytes
  } finally {
    rmSync(folder, { recursive: true })
  }
}
