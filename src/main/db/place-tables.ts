import { join } from 'node:path'
import type { Connection } from './connection.ts'

/** What is stored of the place of the home: names of models, which were whole paths once, and folders of chats. */
export type PlaceStore = {
  /** Give every chat, project, schedule and count of usage the name that its model has now. Returns how many names changed. */
  renameModels(this: void, nameNow: (id: string) => string): number
  /**
   * Remember where the home is. Folders of chats, projects, their notes and schedules that were in it at its former place are those
   * at the new one, where `isThere` finds them. Returns how many folders changed.
   */
  moveFolders(this: void, home: string, isThere: (path: string) => boolean): number
  /** Call the memory files by where they are: what is known of them holds for a home that was moved, too. */
  moveNotes(this: void, home: string): void
}

/** The tables that name models; usage and compactions are long and name none that no chat had. */
const SHORT = ['sessions', 'projects'] as const
const NAMED = [
  ['sessions', 'model'],
  ['projects', 'model'],
  ['usage', 'model_id'],
  ['compactions', 'model_id'],
] as const

/** What names folders that may lie in the home. Grants of a schedule hold for one folder, so one that has any keeps what it names. */
const FOLDERS = [
  { table: 'sessions', column: 'workspace', set: 'workspace = @now', where: 'true' },
  { table: 'projects', column: 'folder', set: 'folder = @now', where: 'true' },
  // A folder has its notes once.
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
/** What names memory files by their paths. */
const NOTES = ['memory_files', 'memory_outside'] as const
/** Where the home was last, among the facts that have a name. */
const PLACE = 'home'

/** Prepare the renaming of models in a database. */
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

/** The path in this home of a memory file, or a copy of one, that lay in another: its end from the folder of the memory on. */
function notesIn(home: string, path: string): string {
  const names = path.split(/[/\\]/)
  const at = names.findLastIndex(name => /^memories/i.test(name))
  return at < 0 ? path : join(home, ...names.slice(at))
}
