import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { removeOutputs } from '../../chats/purge/chat-files.ts'
import { openPurge } from '../../chats/purge/open-purge.ts'
import type { ConfigHandle } from '../../config/load.ts'
import { workOnData } from '../../data/work-on-data.ts'
import type { PendingPurge } from '../../db/purge-tables.ts'
import type { Store } from '../../db/store.ts'
import { forgetTrajectories } from '../../learning/forget-trajectories.ts'
import type { Log } from '../../lib/log.ts'
import type { Broadcast } from '../../lib/publish.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  log: Pick<Log, 'forget'>
  models: { forgetContext(sessionId: string): Promise<void> }
  chats: {
    isBusy(): boolean
    isRunning(sessionId: string): boolean
    endChat(sessionId: string): Promise<void>
    forgetFiles(sessionIds: readonly string[]): Promise<void>
  }
  imports: { isBusy(): boolean }
  events: Broadcast<AppEvent>
  now(): number
  report(error: unknown): void
}

/** How long after the start only what a person asked for is removed, in ms. */
const QUIET_MS = 5_000
/** How long after a chat was deleted its last lines of the log may come, in ms. */
const LOGGED_MS = 60 * 60_000

/** Removes deleted chats for good, from the database and from every file of the home folder. */
export function purgeFeature(needs: Needs) {
  const { home, config, store, log, models, chats, imports, events, now, report } = needs
  const startedAt = now()
  const closing = new AbortController()

  async function removeFiles(gone: readonly PendingPurge[]): Promise<void> {
    const ids = gone.map(each => each.sessionId)
    for (const id of ids) {
      await chats.endChat(id)
      await models.forgetContext(id)
    }
    await chats.forgetFiles(ids)
    await removeOutputs(home, store.purge, ids)
    // Evaluated prompts name no chat, and the others only need to be evaluated again.
    for (const name of ['states', 'imports'])
      await rm(join(home, 'cache', name), { recursive: true, force: true })
    await forgetTrajectories(home, ids)
    for (const { createdAt, deletedAt } of gone) await log.forget(createdAt, deletedAt + LOGGED_MS)
  }

  async function cleanCopies(gone: readonly PendingPurge[], all: boolean): Promise<void> {
    const job = { home, database: store.path, chats: gone, all, startedAt }
    for await (const _ of workOnData('clean', job, closing.signal));
  }

  const isReviewed = (id: string) =>
    store.learning.waitingReviews().some(each => each.sessionId === id && each.state === 'running')
  const purge = openPurge({
    store: store.purge,
    pages: store.pages,
    graceDays: () => config.current.chats.keep_deleted_days,
    isBusy: () => chats.isBusy() || now() - startedAt < QUIET_MS,
    isInUse: id => chats.isRunning(id) || isReviewed(id) || imports.isBusy(),
    removeFiles,
    cleanCopies,
    onChange: () => events.publish({ type: 'deleted_chats' }),
    now,
    report,
  })
  config.onChange(path => {
    if (path === 'chats.keep_deleted_days') purge.check()
  })

  const handlers = {
    'session.deleted': purge.list,
    'session.purge'({ ids }) {
      purge.remove(ids)
      return {}
    },
  } satisfies Partial<HostHandlers>
  return {
    handlers,
    async close() {
      closing.abort()
      await purge.close()
    },
  }
}
