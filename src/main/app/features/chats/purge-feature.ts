import { join } from 'node:path'
import type { AppEvent, Notice } from '../../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import { filesOfChat, isAttached, removeForgottenOutputs } from '../../../chats/purge/chat-files.ts'
import { openPurge } from '../../../chats/purge/open-purge.ts'
import { openTemporaryChats } from '../../../chats/purge/temporary-chats.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { RunWork } from '../../../data/work-on-data.ts'
import type { PendingPurge } from '../../../db/removal/purge-tables.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { forgetTrajectories } from '../../../learning/trajectories/forget-trajectories.ts'
import type { Log } from '../../log.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { removeTree } from '../../../lib/removal/remove-tree.ts'
import { leftByError, type Unremoved } from '../../../lib/removal/unremoved.ts'
import { withinTime } from '../../../lib/timing.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  log: Pick<Log, 'forget'>
  models: { forgetContext(sessionId: string): Promise<void> }
  chats: {
    handlers: Pick<HostHandlers, 'session.remove' | 'session.changeAll'>
    isBusy(): boolean
    isRunning(sessionId: string): boolean
    endChat(sessionId: string): Promise<void>
  }
  imports: { isBusy(): boolean }
  /** Cleans copies, one job at a time. */
  run: RunWork
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  /** What a window is told when it opens. */
  notices: Notice[]
  now(): number
  report(error: unknown): void
}

/** How long after the start only what a person asked for is removed, in ms. */
const QUIET_MS = 5_000
/** How long after a chat was deleted its last lines of the log may come, in ms. */
const LOGGED_MS = 60 * 60_000

/** How long what works for a chat may take to end before its rows go all the same, in ms. */
const END_MS = 10_000

/** Removes deleted chats for good, from the database and from every file of the home folder. */
export function purgeFeature(needs: Needs) {
  const { home, config, store, log, models, chats, imports, run, events, feed, notices, now, report } = needs
  const startedAt = now()
  /** By the clock of the system, which files are dated by. */
  const openedAt = Date.now()
  const closing = new AbortController()
  const { signal } = closing
  let isTold = false

  /** What fails here is another part of Talaria, and no reason to keep a chat. */
  async function endChat(id: string): Promise<void> {
    const ends = [chats.endChat(id), models.forgetContext(id)].map(each => each.catch(report))
    await withinTime(END_MS, Promise.all(ends))
  }

  async function removeTraces(gone: readonly PendingPurge[]): Promise<Unremoved[]> {
    const ids = gone.map(each => each.sessionId)
    const left = await removeForgottenOutputs(home, store.purge, { before: openedAt, signal })
    // Evaluated prompts and pages of the web name no chat, and only need to be evaluated or read again.
    // Nothing of a temporary chat was ever saved among the states; of one that was kept, something may be.
    const isOrdinary = gone.some(each => !each.temporary)
    for (const name of [...(isOrdinary ? ['states'] : []), 'imports', 'web'])
      left.push(...(await removeTree(join(home, 'cache', name), { signal })))
    left.push(...(await forgetTrajectories(home, ids)))
    for (const { createdAt, deletedAt } of gone) {
      const trouble = await leftByError(log.forget(createdAt, deletedAt + LOGGED_MS), join(home, 'logs'))
      left.push(...trouble)
    }
    return left
  }

  async function cleanCopies(gone: readonly PendingPurge[], all: boolean): Promise<Unremoved[]> {
    const left: Unremoved[] = []
    const job = { home, database: store.path, chats: gone, all, startedAt }
    const work = async () => {
      for await (const done of run('clean', job, signal)) left.push(...done.left)
    }
    left.push(...(await leftByError(work(), join(home, 'backups'))))
    return left
  }

  /** Tell once what stays, and again when nothing does any more. */
  function onChange(): void {
    feed.tell('deleted')
    const [first] = purge.list().unremoved.flatMap(({ files }) => files)
    if (first && !isTold) {
      notices.push(noticeOf(first))
      events.publish({ type: 'notice', notice: noticeOf(first) })
    }
    if (!first && isTold) {
      const at = notices.findIndex(notice => notice.id === NOTICE)
      if (at >= 0) notices.splice(at, 1)
      events.publish({ type: 'notice_ended', id: NOTICE })
    }
    isTold = first !== undefined
  }

  const isReviewed = (id: string) =>
    store.learning.waitingReviews().some(each => each.sessionId === id && each.state === 'running')
  const purge = openPurge({
    store: store.purge,
    pages: store.pages,
    graceDays: () => config.current.chats.keep_deleted_days,
    isBusy: () => chats.isBusy() || now() - startedAt < QUIET_MS,
    isInUse: id => chats.isRunning(id) || isReviewed(id) || imports.isBusy(),
    endChat,
    filesOf: id => filesOfChat(home, store, id),
    removeFile: async path =>
      isAttached(store.attachments, path) ? [] : removeTree(join(home, path), { signal }),
    removeTraces,
    cleanCopies,
    explain: error => ({ path: store.path, why: reasonOfDatabase(error) }),
    // The first change comes while this is being opened.
    onChange: () => queueMicrotask(onChange),
    now,
    report,
  })
  config.onChange(path => {
    if (path === 'chats.keep_deleted_days') purge.check()
  })

  const temporary = openTemporaryChats({ store: store.sessions, purge, isRunning: chats.isRunning, now })
  const handlers = {
    ...temporary.handlers(chats.handlers),
    'session.deleted': purge.list,
    'session.purge'({ ids }) {
      purge.remove(ids)
      return {}
    },
  } satisfies Partial<HostHandlers>
  return {
    handlers,
    async close() {
      temporary.close()
      temporary.endAll()
      // What is still there is removed at the next start.
      await withinTime(END_MS, purge.idle())
      closing.abort()
      await purge.close()
    },
  }
}

const NOTICE = 'unremoved-chats'

const noticeOf = ({ path, why }: Unremoved): Notice => ({
  id: NOTICE,
  level: 'warning',
  text: `Part of a deleted chat could not be removed: ${showHiddenInLine(path)}, because ${why}.`,
  fix: '“Recently deleted”, below the chats, lists what is left. Talaria tries again each hour and at each start.',
})

/** Faults of the database say it in words. */
const reasonOfDatabase = (error: unknown): string =>
  error instanceof Fault
    ? error.message.replace(/\.$/, '')
    : 'something went wrong, and the log has the details'
