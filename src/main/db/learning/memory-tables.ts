import type {
  MemoryEntry,
  MemoryProject,
  MemoryRevision,
  OutsideEdit,
} from '../../../shared/contract/learned/memory.ts'
import type { Connection } from '../connection.ts'

/** A revision before the log numbers it. A pending change from an older version has no `mergeId`. */
export type NewRevision = Omit<MemoryRevision, 'id' | 'undoneBy' | 'mergeId'> &
  Partial<Pick<MemoryRevision, 'mergeId'>>

/** A stored change of the notebook: the entries after it, and the resulting content of the files. */
type MemoryCommit = {
  entries: readonly MemoryEntry[]
  revisions: readonly NewRevision[]
  files: readonly { path: string; content: string }[]
  outside?: readonly OutsideEdit[]
}

/** The metadata and history of the notebook (`memory/`). */
export type MemoryStore = {
  /** Return the entries that are not archived, oldest first. `blocked` is null: it is computed later. */
  entries(): MemoryEntry[]
  entry(id: string): MemoryEntry | undefined
  archived(options: { query: string; limit: number; offset: number }): {
    entries: MemoryEntry[]
    more: boolean
  }
  archivedCount(): number
  /** Return the most recently archived entry with this text in a place. */
  archivedTwin(place: Pick<MemoryEntry, 'target' | 'project'>, text: string): MemoryEntry | undefined
  /** Store a change atomically, and clear the pending one. */
  commit(change: MemoryCommit): MemoryRevision[]
  revision(id: number): MemoryRevision | undefined
  /** Return a revision, with all others of its merge if it is part of one, oldest first. */
  together(id: number): MemoryRevision[]
  /** Return revisions, newest first. */
  history(options: {
    entryId?: string | undefined
    sessionId?: string | undefined
    before?: number | undefined
    limit: number
  }): {
    revisions: MemoryRevision[]
    more: boolean
  }
  /** Return revisions by file edits that added a text (`after`) or removed it (`before`), newest first. */
  byFile(
    place: Pick<MemoryRevision, 'target' | 'project'>,
    side: 'before' | 'after',
    text: string,
  ): MemoryRevision[]
  /** Count a chat that started with these entries. */
  used(ids: readonly string[], at: number): void
  projects(): MemoryProject[]
  /** Return a folder's notes. Their id comes from its original path; `usual`: the id of its current path. */
  projectIn(folder: string, usual: string): MemoryProject | undefined
  putProject(project: MemoryProject): void
  /** Return the content of a file when Talaria last read or wrote it. */
  file(path: string): string | undefined
  outside(): OutsideEdit[]
  resolveOutside(id: string, at: number): void
  /** Return the pending change of a process that ended, if any. */
  pending(): string | undefined
  begin(change: string): void
  giveUp(): void
}

type EntryRow = Omit<MemoryEntry, 'locked' | 'blocked'> & { locked: number }
type RevisionRow = Omit<MemoryRevision, 'undoneBy'>

const ENTRY = `id, target, project, text, origin, session_id as sessionId, message_id as messageId, created_at as createdAt,
  updated_at as updatedAt, locked, uses, last_used_at as lastUsedAt, archived_at as archivedAt`
const REVISION = `id, entry_id as entryId, target, project, op, before, after, actor, session_id as sessionId,
  message_id as messageId, review_id as reviewId, at, undoes, merge_id as mergeId`

/** The metadata and history of the notebook, which its files do not hold. */
export function createMemoryStore({ db, durably }: Connection): MemoryStore {
  const entries = db.prepare<[], EntryRow>(
    `select ${ENTRY} from memory_entries where archived_at is null order by rowid`,
  )
  const entry = db.prepare<[string], EntryRow>(`select ${ENTRY} from memory_entries where id = ?`)
  const archived = db.prepare<[{ query: string; limit: number; offset: number }], EntryRow>(`
    select ${ENTRY} from memory_entries
    where archived_at is not null and (@query = '' or instr(fold(text), fold(@query)) > 0)
    order by archived_at desc, rowid desc limit @limit offset @offset`)
  const archivedCount = db.prepare<[], { n: number }>(
    'select count(*) as n from memory_entries where archived_at is not null',
  )
  const archivedTwin = db.prepare<[{ target: string; project: string | null; text: string }], EntryRow>(`
    select ${ENTRY} from memory_entries
    where archived_at is not null and target = @target and project is @project and text = @text
    order by archived_at desc, rowid desc limit 1`)
  const put = db.prepare(`
    insert into memory_entries (id, target, project, text, origin, session_id, message_id, created_at, updated_at, locked,
      uses, last_used_at, archived_at)
    values (@id, @target, @project, @text, @origin, @sessionId, @messageId, @createdAt, @updatedAt, @locked, @uses,
      @lastUsedAt, @archivedAt)
    on conflict (id) do update set target = excluded.target, project = excluded.project, text = excluded.text,
      updated_at = excluded.updated_at, locked = excluded.locked, archived_at = excluded.archived_at`)
  const log = db.prepare<[Omit<MemoryRevision, 'id' | 'undoneBy'>], { id: number }>(`
    insert into memory_revisions (entry_id, target, project, op, before, after, actor, session_id, message_id, review_id, at,
      undoes, merge_id)
    values (@entryId, @target, @project, @op, @before, @after, @actor, @sessionId, @messageId, @reviewId, @at, @undoes,
      @mergeId)
    returning id`)
  const revision = db.prepare<[number], RevisionRow>(`select ${REVISION} from memory_revisions where id = ?`)
  const together = db.prepare<[{ id: number }], RevisionRow>(`
    select ${REVISION} from memory_revisions
    where id = @id or merge_id = (select merge_id from memory_revisions where id = @id) order by id`)
  const undoing = db.prepare<[number], { id: number }>(
    'select id from memory_revisions where undoes = ? order by id desc limit 1',
  )
  const history = db.prepare<
    [{ entryId: string | null; sessionId: string | null; before: number; limit: number }],
    RevisionRow
  >(`
    select ${REVISION} from memory_revisions
    where id < @before and (@entryId is null or entry_id = @entryId) and (@sessionId is null or session_id = @sessionId)
    order by id desc limit @limit`)
  const byFile = (side: 'before' | 'after') =>
    db.prepare<[{ target: string; project: string | null; text: string }], RevisionRow>(`
      select ${REVISION} from memory_revisions
      where actor = 'file' and target = @target and project is @project and ${side} = @text order by id desc`)
  const byFileSides = { before: byFile('before'), after: byFile('after') }
  const use = db.prepare<[number, string]>(
    'update memory_entries set uses = uses + 1, last_used_at = ? where id = ?',
  )
  const projects = db.prepare<[], MemoryProject>(
    'select id, name, folder from memory_projects order by name, id',
  )
  const projectIn = db.prepare<[{ folder: string; usual: string }], MemoryProject>(`
    select id, name, folder from memory_projects where id = @usual
      or (folder = @folder and id not in (select notes from projects)) order by id = @usual desc limit 1`)
  const putProject = db.prepare<[MemoryProject]>(`
    insert into memory_projects (id, name, folder) values (@id, @name, @folder)
    on conflict (id) do update set name = excluded.name, folder = excluded.folder`)
  const file = db.prepare<[string], { content: string }>('select content from memory_files where path = ?')
  const putFile = db.prepare<[string, string]>(`
    insert into memory_files (path, content) values (?, ?) on conflict (path) do update set content = excluded.content`)
  const outside = db.prepare<[], OutsideEdit>(`
    select id, target, project, path, at, before, after from memory_outside where resolved_at is null order by at`)
  const putOutside = db.prepare<[OutsideEdit]>(`
    insert into memory_outside (id, target, project, path, at, before, after)
    values (@id, @target, @project, @path, @at, @before, @after)
    on conflict (id) do update set at = excluded.at, after = excluded.after`)
  const resolve = db.prepare<[number, string]>('update memory_outside set resolved_at = ? where id = ?')
  const pending = db.prepare<[], { change: string }>('select change from memory_pending')
  const setPending = db.prepare<[string]>('insert or replace into memory_pending (id, change) values (1, ?)')
  const clearPending = db.prepare('delete from memory_pending')

  const withUndo = (row: RevisionRow): MemoryRevision => ({ ...row, undoneBy: undoneBy(row.id) })

  /** An undo that was itself undone does not count. */
  function undoneBy(id: number): number | null {
    const undo = undoing.get(id)
    return undo && undoneBy(undo.id) === null ? undo.id : null
  }

  return {
    entries: () => entries.all().map(entryOf),
    entry(id) {
      const row = entry.get(id)
      return row && entryOf(row)
    },
    archived({ query, limit, offset }) {
      const rows = archived.all({ query: query.trim(), limit: limit + 1, offset })
      return { entries: rows.slice(0, limit).map(entryOf), more: rows.length > limit }
    },
    archivedTwin({ target, project }, text) {
      const row = archivedTwin.get({ target, project, text })
      return row && entryOf(row)
    },
    archivedCount: () => archivedCount.get()!.n,
    commit({ entries, revisions, files, outside }) {
      return durably(() => {
        for (const each of entries) put.run({ ...each, locked: Number(each.locked) })
        const ids = revisions.map(each => log.get({ mergeId: null, ...each })!.id)
        for (const each of files) putFile.run(each.path, each.content)
        for (const each of outside ?? []) putOutside.run(each)
        clearPending.run()
        return ids.map(id => withUndo(revision.get(id)!))
      })
    },
    revision(id) {
      const row = revision.get(id)
      return row && withUndo(row)
    },
    together: id => together.all({ id }).map(withUndo),
    history({ entryId = null, sessionId = null, before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = history.all({ entryId, sessionId, before, limit: limit + 1 })
      return { revisions: rows.slice(0, limit).map(withUndo), more: rows.length > limit }
    },
    byFile: ({ target, project }, side, text) =>
      byFileSides[side].all({ target, project, text }).map(withUndo),
    used: (ids, at) => durably(() => ids.forEach(id => use.run(at, id))),
    projects: () => projects.all(),
    projectIn: (folder, usual) => projectIn.get({ folder, usual }),
    putProject: project => durably(() => void putProject.run(project)),
    file: path => file.get(path)?.content,
    outside: () => outside.all(),
    resolveOutside: (id, at) => durably(() => void resolve.run(at, id)),
    pending: () => pending.get()?.change,
    begin: change => durably(() => void setPending.run(change)),
    giveUp: () => durably(() => void clearPending.run()),
  }
}

const entryOf = (row: EntryRow): MemoryEntry => ({ ...row, locked: row.locked === 1, blocked: null })
