import type { DeletedChat } from '../../../shared/contract/chats/session.ts'
import type { Statement } from 'better-sqlite3'
import { emptyLog, type Connection } from '../connection.ts'
import { UNFINISHED } from '../chats/import-tables.ts'

/**
 * A chat being removed for good. `asked`: the user asked for it. `temporary` is false if unknown, because its
 * rows are gone. Times are epoch milliseconds.
 */
export type PendingPurge = {
  sessionId: string
  createdAt: number
  deletedAt: number
  asked: boolean
  temporary: boolean
}

/** A file or folder of a chat being removed for good; `path` is relative to the home, with `/`. */
export type PendingFile = { sessionId: string; path: string; deletedAt: number; asked: boolean }

/** State of the clock check: the last reading, until when it is trusted, and the doubted reading. */
export type ClockState = { seenAt: number | null; trustedAt: number | null; doubtedAt: number | null }

/** Deleted chats, and their removal for good in slices of a few milliseconds. */
export type PurgeStore = {
  /** Return the chats that can be restored, newest first. */
  deleted(): Omit<DeletedChat, 'daysLeft'>[]
  /** Return the chats that were deleted at `time` or earlier. */
  due(time: number): string[]
  /** Mark these chats for removal. They cannot be restored from then on. Returns how many are new. */
  begin(ids: readonly string[], options: { asked: boolean }): number
  pending(): PendingPurge[]
  /**
   * Store which files and folders of a chat to remove, before its rows are gone, because some of them name
   * files. They stay stored until `forgetFile`.
   */
  addFiles(sessionId: string, paths: readonly string[]): void
  files(): PendingFile[]
  /** Forget a file that was removed. */
  forgetFile(file: Pick<PendingFile, 'sessionId' | 'path'>): void
  /** Return a page of a chat's tool results, which may name files; `last`: the id to continue after. */
  results(sessionId: string, after: number): { texts: string[]; last: number | undefined }
  /** Whether any chat mentions a file name. */
  isMentioned(name: string): boolean
  /** Delete a chat's rows for one slice, or merge what that added to a word index; true once none is left. */
  erase(sessionId: string): boolean
  /** Merge the word indexes for one slice, which drops deleted words; true once nothing is left. */
  merge(): boolean
  /** Whether everything deleted before version 9 was overwritten. */
  isClean(): boolean
  /** Record that these chats, and everything deleted before, are gone. */
  finish(ids: readonly string[]): void
  /** Empty the database's log, which holds their last rows; false while something is being read. */
  emptyLog(): boolean
  clock(): ClockState
  /** Store the state of the clock check. `resetLater`: deletions dated after this reading count from it. */
  putClock(state: ClockState, options: { resetLater: boolean }): void
}

/** Longest slice of work in ms, without its commit. */
const SLICE_MS = 6
/** How many pages of a word index to merge at a time. */
const MERGED_PAGES = 16
const WORD_INDEXES = ['messages_search', 'passages_search']
/**
 * When FTS5 merges automatically: usually, and while rows are erased. Each slice adds segments to the
 * indexes. FTS5 merges them inside a commit once a level has 16, which takes up to 90 ms of processor time
 * (https://sqlite.org/fts5.html, crisismerge). While erasing, merges run in slices of their own instead. The
 * number remains a limit, because FTS5 reports a full disk at 2,000 segments.
 */
const MERGING = { usual: { automerge: 4, crisismerge: 16 }, erasing: { automerge: 0, crisismerge: 500 } }
const PAGE = 20

/** The deletions for a chat, in order: bigger tables in portions, the chat itself last. */
const PORTIONS = [
  `delete from run_events where (run_id, seq) in (select e.run_id, e.seq from runs r join run_events e on e.run_id = r.id
    where r.session_id = +@id limit 50)`,
  'delete from attachments where session_id = @id',
  'delete from gateway_inbox where id in (select id from gateway_inbox where session_id = @id limit 50)',
  'delete from gateway_outbox where id in (select id from gateway_outbox where session_id = @id limit 50)',
  'delete from file_changes where id in (select id from file_changes where session_id = @id limit 50)',
  // Before the messages, whose deletion would mark each passage as changed.
  'delete from passages where id in (select id from passages where session_id = @id limit 20)',
  'delete from messages where id in (select id from messages where session_id = @id limit 2)',
  'delete from compactions where session_id = @id',
  'delete from prompts where session_id = @id',
  'delete from runs where session_id = @id',
  'delete from reviews where session_id = @id',
  `delete from proposals where session_id = @id and state <> 'kept'`,
  `update proposals set evidence = '[]' where session_id = @id and evidence <> '[]'`,
  'delete from sessions where id = @id',
]

/** Deleted chats and their removal. */
export function createPurges({ db, durably, atomically }: Connection): PurgeStore {
  const deleted = db.prepare<[], Omit<DeletedChat, 'daysLeft'>>(`
    select id, title, preview, message_count as messageCount, deleted_at as deletedAt from sessions
    where deleted_at is not null and origin <> '${UNFINISHED}' and id not in (select session_id from purges)
      and not (origin = 'sub_agent' and exists (select 1 from sessions p where p.id = sessions.parent_session_id
        and p.deleted_at is not null))
    order by deleted_at desc, id desc`)
  const due = db.prepare<[number], { id: string }>(
    'select id from sessions where deleted_at <= ? and id not in (select session_id from purges)',
  )
  const begin = db.prepare<[{ asked: number; id: string }]>(`
    insert into purges (session_id, created_at, deleted_at, asked)
      select id, created_at, deleted_at, @asked from sessions where deleted_at is not null
        and (id = @id or (parent_session_id = @id and origin = 'sub_agent'))
      on conflict do update set asked = max(asked, excluded.asked)`)
  // A row is a chat, or one of its files: then the id is followed by a slash and the path.
  const pending = db.prepare<
    [],
    Pick<PendingPurge, 'sessionId' | 'createdAt' | 'deletedAt'> & { asked: number; temporary: number }
  >(`
    select session_id as sessionId, created_at as createdAt, deleted_at as deletedAt, asked,
      exists (select 1 from sessions where id = purges.session_id and temporary = 1) as temporary from purges
    where instr(session_id, '/') = 0`)
  const files = db.prepare<[], Omit<PendingFile, 'asked'> & { asked: number }>(`
    select substr(session_id, 1, instr(session_id, '/') - 1) as sessionId,
      substr(session_id, instr(session_id, '/') + 1) as path, deleted_at as deletedAt, asked from purges
    where instr(session_id, '/') > 0`)
  const addFile = db.prepare<[{ id: string; path: string }]>(`
    insert or ignore into purges (session_id, created_at, deleted_at, asked)
      select @id || '/' || @path, created_at, deleted_at, asked from purges where session_id = @id`)
  const results = db.prepare<[string, number], { id: number; content: string }>(`
    select id, content from messages where session_id = ? and id > ? and role = 'tool' order by id limit ${PAGE}`)
  const mentioned = db.prepare<[string], { id: number }>(
    'select rowid as id from messages_search where messages_search match ? limit 1',
  )
  // No index includes temporary chats, but there are few.
  const mentionedByTemporary = db.prepare<
    [string]
  >(`select 1 from sessions s join messages m on m.session_id = s.id
    where s.temporary = 1 and instr(m.content, ?) > 0 limit 1`)
  const portions = PORTIONS.map(sql => db.prepare<[{ id: string }]>(sql))
  // Deleting with 'secure-delete' takes 3 ms for a short message and up to 50 ms for a long one, and still
  // leaves words in messages_search_idx. Merging drops them all, so rows are deleted without it here.
  const [quick, secure] = [0, 1].map(value =>
    db.prepare(`insert into messages_search (messages_search, rank) values ('secure-delete', ${value})`),
  )
  // In a contentless index only merging drops words of deleted documents. A negative number: all segments.
  const [smallMerges, merges] = [MERGED_PAGES, -MERGED_PAGES].map(pages =>
    WORD_INDEXES.map(name => db.prepare(`insert into ${name} (${name}, rank) values ('merge', ${pages})`)),
  ) as [Statement[], Statement[]]
  let merging: 'usual' | 'erasing' | undefined
  /** The indexes that still have to be merged after a slice of deletions. */
  let grown: Statement[] = []
  const changes = db.prepare<[], { n: number }>('select total_changes() as n')
  const clean = db.prepare<[], { cleaned: number }>('select cleaned from purge_state')
  const setClean = db.prepare('update purge_state set cleaned = 1')
  const end = db.prepare<[string]>('delete from purges where session_id = ?')
  const clock = db.prepare<[], ClockState>(
    'select seen_at as seenAt, trusted_at as trustedAt, doubted_at as doubtedAt from purge_state',
  )
  const putClock = db.prepare<[ClockState]>(
    'update purge_state set seen_at = @seenAt, trusted_at = @trustedAt, doubted_at = @doubtedAt',
  )
  const noLater = db.prepare<[{ seenAt: number | null }]>(
    'update sessions set deleted_at = @seenAt where deleted_at > @seenAt',
  )

  /** Set how the indexes are merged. The setting is stored; after a crash the next removal resets it. */
  function setMerging(how: 'usual' | 'erasing'): void {
    if (merging === how) return
    for (const name of WORD_INDEXES)
      for (const [option, value] of Object.entries(MERGING[how]))
        db.prepare(`insert into ${name} (${name}, rank) values ('${option}', ${value})`).run()
    merging = how
  }

  /** Merge once, and return whether there was anything to merge. SQLite then counts at least two changes. */
  function mergeOne(merge: Statement): boolean {
    const before = changes.get()!.n
    merge.run()
    return changes.get()!.n - before >= 2
  }

  return {
    deleted: () => deleted.all(),
    due: time => due.all(time).map(({ id }) => id),
    begin: (ids, { asked }) =>
      ids.length === 0
        ? 0
        : durably(() => ids.reduce((sum, id) => sum + begin.run({ asked: Number(asked), id }).changes, 0)),
    pending: () =>
      pending.all().map(row => ({ ...row, asked: row.asked === 1, temporary: row.temporary === 1 })),
    addFiles: (id, paths) =>
      durably(() => {
        for (const path of paths) addFile.run({ id, path })
      }),
    files: () => files.all().map(row => ({ ...row, asked: row.asked === 1 })),
    forgetFile: ({ sessionId, path }) => void end.run(`${sessionId}/${path}`),
    results(sessionId, after) {
      const rows = results.all(sessionId, after)
      return { texts: rows.map(({ content }) => content), last: rows.at(-1)?.id }
    },
    isMentioned: name =>
      mentioned.get(`"${name.replaceAll(/[^0-9a-z]+/gi, ' ')}"`) !== undefined ||
      mentionedByTemporary.get(name) !== undefined,
    erase(sessionId) {
      const merge = grown.shift()
      if (merge) {
        merge.run()
        return false
      }
      return atomically(() => {
        const started = performance.now()
        setMerging('erasing')
        quick!.run()
        let left = portions
        while (left[0] && performance.now() - started < SLICE_MS)
          if (left[0].run({ id: sessionId }).changes === 0) left = left.slice(1)
        secure!.run()
        if (left.length > 0) grown = [...smallMerges]
        return left.length === 0
      })
    },
    merge: () => !merges.some(mergeOne),
    isClean: () => clean.get()?.cleaned === 1,
    finish(ids) {
      durably(() => {
        for (const id of ids) end.run(id)
        setClean.run()
        setMerging('usual')
      })
    },
    emptyLog: () => emptyLog(db),
    clock: () => clock.get()!,
    putClock: (state, { resetLater }) =>
      durably(() => {
        putClock.run(state)
        if (resetLater) noLater.run({ seenAt: state.seenAt })
      }),
  }
}
