import { join } from 'node:path'
import type { Connection } from './connection.ts'

/** Stored data that depends on the home's place: model names (once whole paths) and chat folders. */
export type PlaceStore = {
  /** Rename models in every chat, project, schedule and usage count. Returns how many names changed. */
  renameModels(this: void, nameNow: (id: string) => string): number
  /**
   * Remember where the home is. Move folders of chats, projects, project notes and schedules from its former
   * place to the new one, if `isThere` finds them. Returns how many folders changed.
   */
  moveFolders(this: void, home: string, isThere: (path: string) => boolean): number
  /** Rename memory files to their current paths, so that their stored facts survive a move of the home. */
  moveNotes(this: void, home: string): void
}

/** Tables that name models. Usage and compactions are long, and only name models that a chat had. */
const SHORT = ['sessions', 'projects'] as const
const NAMED = [
  ['sessions', 'model'],
  ['projects', 'model'],
  ['usage', 'model_id'],
  ['compactions', 'model_id'],
] as const

/** Columns with folders that may be in the home. Schedules with grants keep theirs: a grant is per folder. */
const FOLDERS = [
  { table: 'sessions', column: 'workspace', set: 'workspace = @now', where: 'true' },
  { table: 'projects', column: 'folder', set: 'folder = @now', where: 'true' },
  // A folder has only one set of notes.
  {
    table: 'memory_projects',
    column: 'folder',
    set: 'folder = @now',
    where: 'not exists (select 1 from memory_projects other where other.folder = @now)',
  },
  {
    table: 'schedules',
    column: `choices ->> 'folder'`,
    set: `choices = json_set(choices, '$.folder', @now)`,
    where: `grants = '[]'`,
  },
] as const
/** Tables that name memory files by path. */
const NOTES = ['memory_files', 'memory_outside'] as const
/** The name of the stored fact that holds the home's last place. */
const PLACE = 'home'

/** Prepare renaming models and moving folders in a database. */
export function createPlaceStore({ db, durably }: Connection): PlaceStore {
  const known = db.prepare<[], { model: string }>(
    [
      ...SHORT.map(table => `select distinct model from ${table} where model like 'file:%'`),
      `select distinct choices ->> 'modelId' as model from schedules where choices ->> 'modelId' like 'file:%'`,
    ].join(' union '),
  )
  const lastHome = db.prepare<[], string>(`select value from schedule_facts where name = '${PLACE}'`).pluck()
  const keepHome = db.prepare<[string]>(`
    insert into schedule_facts (name, value) values ('${PLACE}', ?) on conflict (name) do update set value = excluded.value`)
  return {
    moveFolders(home, isThere) {
      const last = lastHome.get()
      if (last === home) return 0
      const moved = FOLDERS.flatMap(({ table, column, set, where }) =>
        db
          .prepare<[], { folder: string }>(
            `select distinct ${column} as folder from ${table} where ${column} is not null`,
          )
          .all()
          .flatMap(({ folder }) => {
            const below =
              last !== undefined && /^[/\\\\]/.test(folder.slice(last.length)) && folder.startsWith(last)
            const now = home + folder.slice(last?.length)
            return below && isThere(now)
              ? [{ sql: `update ${table} set ${set} where ${column} = @was and ${where}`, was: folder, now }]
              : []
          }),
      )
      durably(() => {
        for (const { sql, was, now } of moved) db.prepare(sql).run({ was, now })
        keepHome.run(home)
      })
      return moved.length
    },
    moveNotes(home) {
      const paths = NOTES.map(table =>
        db.prepare<[], string>(`select distinct path from ${table}`).pluck().all(),
      )
      const moved = [...new Set(paths.flat())]
        .map(was => ({ was, now: notesIn(home, was) }))
        .filter(({ was, now }) => was !== now)
      if (moved.length === 0) return
      durably(() => {
        for (const table of NOTES)
          for (const each of moved)
            db.prepare(`update or replace ${table} set path = @now where path = @was`).run(each)
      })
    },
    renameModels(nameNow) {
      const changed = known
        .all()
        .map(({ model }) => ({ was: model, now: nameNow(model) }))
        .filter(({ was, now }) => was !== now)
      if (changed.length === 0) return 0
      const updates = NAMED.map(([table, column]) =>
        db.prepare<{ was: string; now: string }>(
          `update ${table} set ${column} = @now where ${column} = @was`,
        ),
      )
      const schedules = db.prepare<{ was: string; now: string }>(`
        update schedules set choices = json_set(choices, '$.modelId', @now) where choices ->> 'modelId' = @was`)
      durably(() => {
        for (const change of changed) for (const update of [...updates, schedules]) update.run(change)
      })
      return changed.length
    },
  }
}

/** Return a memory file's path in this home, given one in another: its end from the memory folder on. */
function notesIn(home: string, path: string): string {
  const names = path.split(/[/\\]/)
  const at = names.findLastIndex(name => /^memories/i.test(name))
  return at < 0 ? path : join(home, ...names.slice(at))
}
