import Database from 'better-sqlite3'
import type { Message } from '../../shared/contract/messages.ts'
import { asFault } from './database-faults.ts'
import { MESSAGE_COLUMNS, messageOf, type MessageRow } from './message-rows.ts'

/** A chat without its messages. Times are epoch milliseconds. */
export type ChatHead = {
  id: string
  title: string
  createdAt: number
  updatedAt: number
  model: string
  folder: string
  messages: number
}

/** The chats of a database as they were at one moment. */
export type ChatReader = {
  /** All chats, oldest first, without deleted ones; or only the one of this id. */
  chats(id?: string): ChatHead[]
  /** The messages of a chat in order, one at a time. */
  messages(id: string): IterableIterator<Message>
  [Symbol.dispose](): void
}

/** Read the database of a running Talaria without changing it. Meant for a separate thread. */
export function readChats(path: string): ChatReader {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 })
  try {
    // Everything is read as of this moment.
    db.exec('begin')
    db.prepare('select 1 from sqlite_schema').get()
    const heads = db.prepare<[object], ChatHead>(`
      select s.id, s.title, s.created_at as createdAt, s.updated_at as updatedAt, s.model, s.workspace as folder,
        (select count(*) from messages m where m.session_id = s.id and m.active = 1) as messages
      from sessions s where s.deleted_at is null and (@id is null or s.id = @id) order by s.created_at, s.id`)
    const rows = db.prepare<[string], MessageRow>(`
      select ${MESSAGE_COLUMNS} from messages m where m.session_id = ? and m.active = 1 order by m.id`)
    return {
      chats: (id?: string) => heads.all({ id: id ?? null }),
      *messages(id) {
        for (const row of rows.iterate(id)) yield messageOf(row)
      },
      [Symbol.dispose]: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw asFault(error, path)
  }
}
