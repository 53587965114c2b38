import type { Connection } from './connection.ts'

/** What is stored of the place of the home: names of models, which were whole paths once, and folders of chats. */
export type PlaceStore = {
  /** Give every chat, project, schedule and count of usage the name that its model has now. Returns how many names changed. */
  renameModels(this: void, nameNow: (id: string) => string): number
  /**
   * Remember where the home is. Folders of chats and projects that were in it at its former place are those at the new one, where
   * `isThere` finds them. Returns how many folders changed.
   */
  moveFolders(this: void, home: string, isThere: (path: string) => boolean): number
}

/** The tables that name models; usage and compactions are long and name none that no chat had. */
const SHORT = ['sessions', 'projects'] as const
const NAMED = [
  ['sessions', 'model'],
  ['projects', 'model'],
  ['usage', 'model_id'],
  ['compactions', 'model_id'],
] as const

/** What names folders that may lie in the home. Grants of a schedule hold for one folder, so a schedule keeps what it names. */
const FOLDERS = [
  ['sessions', 'workspace'],
  ['projects', 'folder'],
] as const
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
      const moved = FOLDERS.flatMap(([table, column]) =>
        db
          .prepare<[], { folder: string }>(
            `select distinct ${column} as folder from ${table} where ${column} is not null`,
          )
          .all()
          .flatMap(({ folder }) => {
            const below =
              last !== undefined && /^[/\\\\]/.test(folder.slice(last.length)) && folder.startsWith(last)
            const now = home + folder.slice(last?.length)
            return below && isThere(now) ? [{ table, column, was: folder, now }] : []
          }),
      )
      durably(() => {
        for (const { table, column, was, now } of moved)
          db.prepare(`update ${table} set ${column} = ? where ${column} = ?`).run(now, was)
        keepHome.run(home)
      })
      return moved.length
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
