import packageJson from '../../../../package.json' with { type: 'json' }
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { ConfigHandle } from '../../config/load.ts'
import { createDailyBackups } from '../../data/backup/daily-backup.ts'
import { dataHandlers } from '../../data/data-handlers.ts'
import { oneAtATime, workOnData } from '../../data/work-on-data.ts'
import type { Store } from '../../db/store.ts'
import type { Broadcast } from '../../lib/publish.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  events: Broadcast<AppEvent>
  now(): number
  report(error: unknown): void
}

/** What is in the home folder: sizes, backups, exports. */
export function dataFeature({ home, config, store, events, now, report }: Needs) {
  let trouble: string | null = null
  const run = oneAtATime(workOnData)
  const source = { home, database: store.path, version: packageJson.version }
  const hasChats = () => store.sessions.list({ query: '', limit: 1, offset: 0 }).sessions.length > 0
  const daily = createDailyBackups({
    home,
    now,
    isWanted: () => config.current.backup.daily && hasChats(),
    async write(target, signal) {
      const wanted = { keys: false, files: false }
      const written = run('backup', { ...source, target, kind: 'daily', wanted, now: now() }, signal)
      for await (const _ of written);
    },
    onTrouble(text) {
      const isNew = trouble === null
      trouble = text ?? null
      // It is tried again and again, and reported once.
      if (text === undefined || !isNew) return
      const fix = 'Talaria tries again in a quarter of an hour. Settings > Data lists the backups.'
      events.publish({
        type: 'notice',
        notice: { id: 'daily-backup', level: 'warning', text: `The daily backup was not made. ${text}`, fix },
      })
    },
    report,
  })
  return {
    handlers: dataHandlers({ ...source, now, run, trouble: () => trouble }),
    daily,
    close: daily.close,
  }
}
