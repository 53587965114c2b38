import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection } from '../../src/main/db/connection.ts'
import { migrateDatabase } from '../../src/main/db/file/migrate.ts'

let made: Buffer | undefined

/**
 * Copy a new database into a folder without one. A first start would create the same database, which takes
 * longer than the rest of opening a home folder, and thousands of tests start with their own home folder.
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
