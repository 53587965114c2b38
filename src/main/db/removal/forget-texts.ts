import type { Database } from 'better-sqlite3'
import { withoutEntries } from '../../../shared/text/without-entries.ts'

/** Memory entries to forget for good: their ids, and every text that they ever had. */
export type Forgotten = { ids: readonly string[]; texts: readonly string[] }

/** Tables whose rows are deleted whole if they contain one of the texts, and the columns to search. */
const WHOLE: readonly (readonly [table: string, columns: readonly string[], more?: string])[] = [
  ['proposals', ['headline', 'before', 'after', 'change', 'evidence', 'because']],
  ['learning_rules', ['text', 'example']],
  // Prompts of chats contain the memory of their time; a chat without a prompt gets a new one.
  ['prompts', ['system']],
  ['memory_pending', ['change']],
  // The request of another program, in its own words.
  ['agent_requests', ['asked']],
  // What was said to the agents of other programs.
  ['foreign_events', ['event']],
]
/** Tables with the text of a whole memory file. */
const FILES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['memory_files', ['content']],
  ['memory_outside', ['before', 'after']],
]

/**
 * Delete entries with their history from a database, and every row of memory and learning that contains one
 * of their texts. Chats keep their messages. Call this in a transaction. Returns whether anything was
 * deleted.
 */
export function forgetTexts(db: Database, { ids, texts }: Forgotten): boolean {
  const names = db.prepare<[], { name: string }>('select name from sqlite_schema').all()
  const tables = new Set(names.map(({ name }) => name))
  const list = { ids: JSON.stringify(ids), texts: JSON.stringify(texts) }
  const run = (sql: string, values: Record<string, unknown> = list) => db.prepare(sql).run(values).changes
  let count = 0
  if (tables.has('memory_entries')) {
    // These triggers ensure that revisions are only ever added. A user's wish to forget is the one exception.
    const guards = db
      .prepare<[], { name: string; sql: string }>(
        `select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'memory_revisions'`,
      )
      .all()
    for (const { name } of guards) db.exec(`drop trigger ${name}`)
    count += run(`delete from memory_revisions where entry_id in (select value from json_each(@ids))
      or before in (select value from json_each(@texts)) or after in (select value from json_each(@texts))`)
    count += run(`delete from memory_entries where id in (select value from json_each(@ids))
      or text in (select value from json_each(@texts))`)
    for (const { sql } of guards) db.exec(sql)
  }
  for (const [table, columns] of FILES)
    if (tables.has(table)) count += forgetInFiles(db, table, columns, texts)
  for (const text of texts) {
    // JSON escapes the quotation marks and line feeds of a text.
    const needles = { text, json: JSON.stringify(text).slice(1, -1) }
    for (const [table, columns] of WHOLE) {
      if (!tables.has(table)) continue
      const found = columns.map(name => `instr(${name}, @text) or instr(${name}, @json)`).join(' or ')
      count += run(`delete from ${table} where ${found}`, needles)
    }
    if (tables.has('reviews'))
      count += run(`update reviews set outcome = '' where instr(outcome, @text) and @json <> ''`, needles)
  }
  if (tables.has('memory_forgetting')) run('delete from memory_forgetting where @ids <> @texts')
  return count > 0
}

function forgetInFiles(
  db: Database,
  table: string,
  columns: readonly string[],
  texts: readonly string[],
): number {
  const gone = new Set(texts)
  let count = 0
  for (const column of columns)
    for (const { row, text } of db
      .prepare<[], { row: number; text: string }>(`select rowid as row, ${column} as text from ${table}`)
      .all()) {
      const kept = withoutEntries(text, gone)
      if (kept !== text)
        count += db.prepare(`update ${table} set ${column} = ? where rowid = ?`).run(kept, row).changes
    }
  return count
}
