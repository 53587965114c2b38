import packageJson from '../../../../../package.json' with { type: 'json' }
import type { AppEvent, Notice } from '../../../../shared/contract/app.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import { describeCloudTraces, findCloudTraces } from '../../../config/cloud-copies.ts'
import { createDailyBackups } from '../../../data/backup/daily-backup.ts'
import { dataHandlers } from '../../../data/data-handlers.ts'
import { oneAtATime, workOnData } from '../../../data/work-on-data.ts'
import type { Store } from '../../../db/store.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { removeUnfinished } from '../../../lib/removal/unfinished.ts'

type Needs = {
  home: string
  /** The user's home folder, if this one is a copy of it. */
  shownHome: string
  /** The folder of new chats. */
  workspace: string
  config: ConfigHandle
  store: Store
  events: Broadcast<AppEvent>
  /** The notices that a window gets when it opens. */
  notices: Notice[]
  now(): number
  report(error: unknown): void
}

/** The contents of the home folder: sizes, backups, exports. */
export function dataFeature({
  home,
  shownHome,
  workspace,
  config,
  store,
  events,
  notices,
  now,
  report,
}: Needs) {
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
      if (text === undefined && !isNew) events.publish({ type: 'notice_ended', id: 'daily-backup' })
      // Failures repeat; report each only once.
      if (text === undefined || !isNew) return
      const fix = 'Talaria tries again in a quarter of an hour. Settings > Data lists the backups.'
      events.publish({
        type: 'notice',
        notice: { id: 'daily-backup', level: 'warning', text: `The daily backup was not made. ${text}`, fix },
      })
    },
    report,
  })
  const cloud = describeCloudTraces(findCloudTraces(shownHome))
  if (cloud) notices.push({ id: 'cloud-folder', level: 'warning', ...cloud })
  removeUnfinished(home).then(([left]) => {
    if (!left) return
    const text = `An unfinished copy of your chats could not be removed: ${showHiddenInLine(left.path)}, because ${left.why}.`
    const fix = 'Delete it yourself, or let Talaria try again at its next start.'
    const notice: Notice = { id: 'unfinished-files', level: 'warning', text, fix }
    notices.push(notice)
    events.publish({ type: 'notice', notice })
  }, report)
  const parts = { ...source, workspace, now, run, trouble: () => trouble }
  const handlers = dataHandlers(parts)
  const shown = dataHandlers({ ...parts, home: shownHome })
  return {
    handlers: {
      ...handlers,
      'data.sizes': shown['data.sizes'],
      'data.backups': shown['data.backups'],
    },
    daily,
    close: daily.close,
  }
}
