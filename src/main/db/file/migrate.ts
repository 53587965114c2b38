import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backupFolder, fileTime, keepNewest, syncFolder } from '../../lib/disk/durable-files.ts'
import type { Connection } from '../connection.ts'
import { migrations } from '../migrations/all-migrations.ts'

/**
 * Return the tables of a database version. They are read from the text of the migrations, because running
 * them would take longer than the rest of opening a database.
 */
export function tablesAt(version: number, steps = migrations): string[] {
  const tables = new Set<string>()
  for (const { groups } of steps.slice(0, version).join('\n').matchAll(TABLE_CHANGE)) {
    const { added, removed, from, to } = groups!
    tables.delete((removed ?? from)!)
    if (added ?? to) tables.add((added ?? to)!)
  }
  return [...tables]
}

/** A line that adds, removes or renames a table. */
const TABLE_CHANGE =
  /^\s*(?:create (?:virtual )?table (?<added>\w+)|drop table (?<removed>\w+)|alter table (?<from>\w+) rename to (?<to>\w+))/gim

/** Marks a file as Talaria's: “TALA”. */
export const APPLICATION_ID = 0x54414c41
/** The version of a database that this code reads and writes. */
export const VERSION = migrations.length
const BACKUPS = 5

/**
 * Bring a database up to date, each step whole or not at all. A database with content is first copied into
 * `backups/`, where the last five copies are kept. A new one takes all steps in one transaction, in half the
 * time.
 */
export function migrateDatabase(connection: Connection, home: string, now: number, steps = migrations): void {
  const { db, durably } = connection
  const version = db.pragma('user_version', { simple: true }) as number
  if (version >= steps.length) return
  if (version === 0 && !db.inTransaction) return durably(() => migrateDatabase(connection, home, now, steps))
  if (version > 0) backUp(connection, home, `state-v${version}-${fileTime(now)}.db`)
  for (const [at, sql] of steps.entries()) {
    if (at < version) continue
    durably(() => {
      db.exec(sql)
      db.pragma(`application_id = ${APPLICATION_ID}`)
      db.pragma(`user_version = ${at + 1}`)
    })
  }
}

function backUp({ db }: Connection, home: string, name: string): void {
  const folder = backupFolder(home)
  const part = join(folder, `${name}.part`)
  rmSync(part, { force: true })
  // Create the file with this mode first; one made by SQLite would be readable by others.
  const file = openSync(part, 'wx', 0o600)
  try {
    db.prepare('vacuum into ?').run(part)
    fsyncSync(file)
    renameSync(part, join(folder, name))
  } finally {
    closeSync(file)
    rmSync(part, { force: true })
  }
  syncFolder(folder)
  keepNewest(folder, 'state-v', BACKUPS)
}
