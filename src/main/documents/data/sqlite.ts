import Database from 'better-sqlite3'
import { many } from '../../../shared/text/amounts.ts'
import { DocumentTrouble, type Reader } from '../document.ts'
import { writeTable } from '../text-flow.ts'

/** Maximum number of rows to show per table, and of tables with rows. */
const MOST_ROWS = 20
const MOST_TABLES = 200
const LONGEST_VALUE = 200
/** Header bytes that say how the database is written: 1 with a journal, 2 with a log file beside it. */
const FORM = [18, 19] as const

type Named = { type: string; name: string; sql: string | null }

/** Read the tables of an SQLite database with their first rows, from memory: no file is written beside it. */
export const readSqlite: Reader = ({ bytes, hasBeside, isLate }) => {
  const copy = Buffer.from(bytes)
  const hasLog = copy[FORM[0]] === 2
  // A database in log mode cannot be opened in memory, so mark it as one with a journal.
  if (hasLog) for (const at of FORM) copy[at] = 1
  const database = openCopy(copy)
  try {
    database.pragma('trusted_schema = OFF')
    database.pragma('cell_size_check = ON')
    const all = database
      .prepare("select type, name, sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'")
      .all() as Named[]
    const tables = all.filter(({ type }) => type === 'table')
    const views = all.filter(({ type }) => type === 'view')
    const problems: string[] = []
    const pages: string[] = []
    for (const { name, sql } of tables.slice(0, MOST_TABLES)) {
      if (isLate()) break
      try {
        pages.push(tableText(database, name, sql ?? ''))
      } catch (error) {
        if (!(error instanceof Database.SqliteError)) throw error
        pages.push(`Table ${name}\n\n${sql ?? ''}`)
        problems.push(`The rows of the table ${name} cannot be read: ${error.message}.`)
      }
    }
    if (views.length > 0)
      pages.push(`Views, which are not run:\n\n${views.map(({ sql }) => (sql ?? '').trim()).join('\n\n')}`)
    if (pages.length < tables.length)
      problems.push(`It has ${many(tables.length, 'table')}. Only the first ${pages.length} were read.`)
    if (hasLog && hasBeside('-wal'))
      problems.push('Its newest changes are in the file beside it that ends in -wal, and are not read.')
    return { pages, problems: tables.length === 0 ? ['It has no tables.', ...problems] : problems }
  } catch (error) {
    if (error instanceof Database.SqliteError)
      throw new DocumentTrouble(`is damaged, or locked with a password (${error.message})`)
    throw error
  } finally {
    database.close()
  }
}

function openCopy(copy: Buffer): Database.Database {
  try {
    return new Database(copy, { readonly: true })
  } catch (error) {
    if (error instanceof Error) throw new DocumentTrouble('is damaged, or no whole database')
    throw error
  }
}

function tableText(database: Database.Database, name: string, sql: string): string {
  // Foreign extensions are never loaded, so tables that need one are only mentioned.
  if (/^create\s+virtual/i.test(sql)) return `Table ${name} (virtual, not read)\n\n${sql}`
  const quoted = `"${name.replaceAll('"', '""')}"`
  const statement = database.prepare(`select * from ${quoted} limit ${MOST_ROWS}`).raw().safeIntegers()
  const columns = statement.columns().map(column => column.name)
  const rows = statement.all() as unknown[][]
  const count = rows.length < MOST_ROWS ? rows.length : countRows(database, quoted)
  const shown = rows.length < count ? `, of which the first ${rows.length} follow` : ''
  return [
    `Table ${name}: ${many(count, 'row')}${shown}`,
    '',
    ...(rows.length === 0
      ? [`Columns: ${columns.join(', ')}`]
      : writeTable([columns, ...rows.map(row => row.map(writeValue))])),
  ].join('\n')
}

const countRows = (database: Database.Database, quoted: string): number =>
  database.prepare(`select count(*) from ${quoted}`).pluck().get() as number

function writeValue(value: unknown): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return `(${many(value.length, 'byte')})`
  // What is left is a text or a number.
  // oxlint-disable-next-line typescript/no-base-to-string
  const text = String(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
