import { join } from 'node:path'
import Database from 'better-sqlite3'
import { APPLICATION_ID } from '../../src/main/db/file/migrate.ts'
import { migrations } from '../../src/main/db/migrations/all-migrations.ts'

/**
 * Create a database of schema version 8, from before deleted chats were removed: one chat that is marked as
 * deleted, one whose rows were deleted without overwriting them, and one that stays. Returns their words.
 */
export function makeVersion8(home: string): { deleted: string[]; erased: string[]; stays: string[] } {
  const words = Object.fromEntries(
    ['deleted', 'erased', 'stays'].map(chat => [
      chat,
      Array.from({ length: 12 }, (_, n) => `${chat}word${n}zq`),
    ]),
  ) as ReturnType<typeof makeVersion8>
  const db = new Database(join(home, 'state.db'))
  db.pragma('journal_mode = wal')
  db.pragma('foreign_keys = on')
  db.pragma('secure_delete = off')
  for (const migration of migrations.slice(0, 8)) db.exec(migration)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma('user_version = 8')
  const addChat = db.prepare(`
    insert into sessions (id, source, title, preview, model, workspace, approval, message_count, created_at, updated_at,
      deleted_at)
    values (?, 'window', ?, ?, 'builtin', '/desk', 'ask', 10, 1000, 2000, ?)`)
  const addMessage = db.prepare(
    `insert into messages (session_id, role, content, created_at) values (?, 'user', ?, 1000)`,
  )
  const chats = Object.entries(words)
  for (const [chat, [title, preview]] of chats)
    addChat.run(`chat_${chat}`, title, preview, chat === 'deleted' ? 3_000 : null)
  for (let n = 0; n < 10; n++)
    for (const [chat, own] of chats)
      addMessage.run(`chat_${chat}`, `${own[n + 2]} ${`${chat}filler${n} `.repeat(60 * n)}`)
  for (const { id } of db.prepare<[], { id: number }>('select id from passages').all())
    db.prepare(
      `insert into passages_search (rowid, content) select p.id, group_concat(m.content) from passages p
        join messages m on m.session_id = p.session_id where p.id = cast(? as integer)`,
    ).run(id)
  db.exec('update passages set stale = 0')
  db.exec(`delete from sessions where id = 'chat_erased'`)
  db.close()
  return words
}
