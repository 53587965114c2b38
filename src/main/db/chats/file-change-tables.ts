import type { Connection } from '../connection.ts'

/** A change of a file by a tool, or by the user who restored it; see the migration for the columns. */
export type FileChange = {
  id: number
  sessionId: string
  messageId: number
  callId: string | null
  folder: string
  path: string
  beforeHash: string | null
  afterHash: string | null
  copy: 'kept' | 'none' | 'too_big' | 'dropped'
  bytes: number
  at: number
  /** Whether the path of the chat leads through its message. */
  isOnPath: boolean
}

/** The log of changed files, per chat. */
export type FileChangeStore = {
  /** Record a change before making it, after the newest message of the path. Returns its id. */
  add(change: Omit<FileChange, 'id' | 'messageId' | 'isOnPath'>): number
  /** Remove a recorded change that was not made after all. */
  remove(id: number): void
  /** Return the changes of a chat, oldest first. */
  list(sessionId: string): FileChange[]
  /** Return the number and total bytes of the kept copies in all chats. */
  kept(): { count: number; bytes: number }
  /** Drop the oldest kept copy; undefined if none. `isLast`: no other change of its chat uses its content. */
  dropOldest(): { sessionId: string; hash: string; isLast: boolean } | undefined
}

type Row = Omit<FileChange, 'isOnPath'> & { isOnPath: number }

/** Read and write the log of changed files. */
export function createFileChanges({ db, durably }: Connection): FileChangeStore {
  const insert = db.prepare<[object], { id: number }>(`
    insert into file_changes (session_id, message_id, call_id, folder, path, before_hash, after_hash, copy, bytes, at)
    values (@sessionId, coalesce((select max(id) from messages where session_id = @sessionId and active = 1), 0), @callId,
      @folder, @path, @beforeHash, @afterHash, @copy, @bytes, @at)
    returning id`)
  const remove = db.prepare<[number]>('delete from file_changes where id = ?')
  const list = db.prepare<[string], Row>(`
    select f.id, f.session_id as sessionId, f.message_id as messageId, f.call_id as callId, f.folder, f.path,
      f.before_hash as beforeHash, f.after_hash as afterHash, f.copy, f.bytes, f.at,
      coalesce(m.active, 0) as isOnPath
    from file_changes f left join messages m on m.id = f.message_id where f.session_id = ? order by f.id`)
  const kept = db.prepare<[], { count: number; bytes: number }>(
    `select count(*) as count, coalesce(sum(bytes), 0) as bytes from file_changes where copy = 'kept'`,
  )
  const oldest = db.prepare<[], { id: number; sessionId: string; hash: string }>(
    `select id, session_id as sessionId, before_hash as hash from file_changes where copy = 'kept' order by id limit 1`,
  )
  const drop = db.prepare<[number]>(`update file_changes set copy = 'dropped' where id = ?`)
  const users = db.prepare<[string, string], { count: number }>(
    `select count(*) as count from file_changes where session_id = ? and before_hash = ? and copy = 'kept'`,
  )
  return {
    add: change => durably(() => insert.get(change)!.id),
    remove: id => durably(() => void remove.run(id)),
    list: sessionId => list.all(sessionId).map(row => ({ ...row, isOnPath: row.isOnPath === 1 })),
    kept: () => kept.get()!,
    dropOldest() {
      const found = oldest.get()
      if (!found) return undefined
      durably(() => void drop.run(found.id))
      const { sessionId, hash } = found
      return { sessionId, hash, isLast: users.get(sessionId, hash)!.count === 0 }
    },
  }
}
