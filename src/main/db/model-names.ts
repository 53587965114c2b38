import type { Connection } from './connection.ts'

/** Older names of models in what is stored: a file below the home was named by its whole path. */
export type ModelNames = {
  /** Give every chat, project, schedule and count of usage the name that its model has now. Returns how many names changed. */
  renameModels(this: void, nameNow: (id: string) => string): number
}

/** The tables that name models; usage and compactions are long and name none that no chat had. */
const SHORT = ['sessions', 'projects'] as const
const NAMED = [
  ['sessions', 'model'],
  ['projects', 'model'],
  ['usage', 'model_id'],
  ['compactions', 'model_id'],
] as const

/** Prepare the renaming of models in a database. */
export function createModelNames({ db, durably }: Connection): ModelNames {
  const known = db.prepare<[], { model: string }>(
    [
      ...SHORT.map(table => `select distinct model from ${table} where model like 'file:%'`),
      `select distinct choices ->> 'modelId' as model from schedules where choices ->> 'modelId' like 'file:%'`,
    ].join(' union '),
  )
  return {
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
