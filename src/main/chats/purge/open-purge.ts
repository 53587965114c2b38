import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'
import type { DeletedChat, UnremovedChat } from '../../../shared/contract/chats/session.ts'
import type { PageCleaner } from '../../db/removal/clean-pages.ts'
import type { PendingFile, PendingPurge, PurgeStore } from '../../db/removal/purge-tables.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'
import { judgeClock, wasWrong } from './judge-clock.ts'

const DAY = 24 * 60 * 60_000
/** How often to look for chats whose grace time is over, in ms. */
const CHECK_MS = 60 * 60_000
/** How long to wait for obstacles such as an answer in progress, in ms. */
const WAIT_MS = 500
/** How long to wait after a database failure, such as a full disk, in ms. */
const RETRY_MS = 10 * 60_000
/** How often to try to empty the database's log before removing files. A reader may take long. */
const EMPTYINGS = 4

type Parts = {
  store: PurgeStore
  pages: Pick<PageCleaner, 'step' | 'sync'>
  /** Return for how many days a deleted chat can be restored. */
  graceDays(): number
  /** Whether an answer is in progress; a removal that the user did not ask for waits until it ends. */
  isBusy(): boolean
  /** Whether anything is still working on a chat. */
  isInUse(sessionId: string): boolean
  /** End all work for a chat. Never rejects. */
  endChat(sessionId: string): Promise<void>
  /** Return the files and folders of a chat, relative to the home; called while its messages exist. */
  filesOf(sessionId: string): Promise<string[]>
  /** Remove a file or folder. Resolves to the parts that remain. */
  removeFile(path: string): Promise<Unremoved[]>
  /** Remove traces of these chats from shared files; called after their messages are gone. */
  removeTraces(chats: readonly PendingPurge[]): Promise<Unremoved[]>
  /** Remove these chats from backups and other copies; `all` rewrites every copy. */
  cleanCopies(chats: readonly PendingPurge[], all: boolean): Promise<Unremoved[]>
  /** Explain a database failure as text. */
  explain(error: unknown): Unremoved
  /** Called after the list of deleted chats has changed. */
  onChange(): void
  now(): number
  report(error: unknown): void
  waitMs?: number
}

/** Removes deleted chats for good: after their grace time, or immediately if the user asks. */
export type Purge = {
  /**
   * Return the chats that can be restored (newest first), the number being removed, and those with parts that
   * cannot be removed. `paused` while the clock is not trusted.
   */
  list(): {
    chats: DeletedChat[]
    days: number
    removing: number
    unremoved: UnremovedChat[]
    paused: boolean
  }
  /**
   * Start removing chats, or retry what is left of them. The request is stored when this returns; after a
   * crash the next start finishes it.
   */
  remove(ids: readonly string[]): void
  /** Look for chats whose grace time is over, and retry what could not be removed. */
  check(): void
  /** Resolves when nothing is being removed, or when closed. */
  idle(): Promise<void>
  close(): Promise<void>
}

/**
 * Open the removal of deleted chats, and continue what a crash cut off. The order makes every step
 * repeatable: store the request; end the chat's work; store the list of its files, which its messages name;
 * delete its rows and words; overwrite their bytes; remove its files; clean the backups last, because one may
 * be made in between. No chat waits for another, and rows and words do not wait for files. Failures are
 * reported, stay stored, and are retried at each start, each hour, and on request.
 */
export function openPurge(parts: Parts): Purge {
  const { store, pages, graceDays, isBusy, isInUse, onChange, now, report } = parts
  const { waitMs = WAIT_MS } = parts
  const closing = new AbortController()
  const { signal } = closing
  const held = createHeldBack()
  /** Chats for which all work has ended. */
  const ended = new Set<string>()
  let working: Promise<void> | undefined
  /** The user asked for a retry. */
  let isUrgent = false
  /** Ends the wait after a failure. */
  let retry = new AbortController()
  check({ isStart: true })
  const timer = setInterval(check, CHECK_MS).unref()

  function check({ isStart } = { isStart: false }): void {
    const before = store.clock()
    const clock = judgeClock(before, now(), { isStart })
    store.putClock(clock, { resetLater: wasWrong(before, clock) })
    const trusted = clock.trustedAt ?? 0
    const begun = store.begin(store.due(trusted - graceDays() * DAY), { asked: false })
    if (held.release() || begun > 0) onChange()
    start()
  }

  function start(): void {
    if (!signal.aborted) working ??= work()
  }

  async function work(): Promise<void> {
    // The first check runs after the assignment above, and the last one just before the end.
    await others()
    while (!signal.aborted && isLeft(waiting())) await attempt()
    working = undefined
  }

  type Work = { chats: PendingPurge[]; files: PendingFile[]; isUnclean: boolean }

  /** The work to do, without anything held back until its retry. */
  const waiting = (): Work => ({
    chats: store.pending().filter(each => !held.has(each.sessionId)),
    files: store.files().filter(each => !held.has(each.sessionId)),
    isUnclean: !store.isClean() && !held.has(EARLIER),
  })
  const isLeft = ({ chats, files, isUnclean }: Work) => chats.length + files.length > 0 || isUnclean

  async function attempt(): Promise<void> {
    try {
      const { chats, files } = waiting()
      const isAsked = isUrgent || [...chats, ...files].some(each => each.asked)
      if (isBusy() && !isAsked) await wait()
      else await removeAll(chats)
    } catch (error) {
      if (signal.aborted) return
      report(error)
      for (const { sessionId } of waiting().chats) held.add(sessionId, [parts.explain(error)])
      onChange()
      retry = new AbortController()
      const either = AbortSignal.any([signal, retry.signal])
      await sleep(RETRY_MS, undefined, { signal: either, ref: false }).catch(() => undefined)
      held.release()
    }
  }

  async function removeAll(chats: readonly PendingPurge[]): Promise<void> {
    for (const { sessionId } of chats) {
      if (!ended.has(sessionId)) await parts.endChat(sessionId)
      ended.add(sessionId)
    }
    const ready = chats.filter(each => !isInUse(each.sessionId))
    const { files, isUnclean } = waiting()
    if (ready.length === 0 && files.length === 0 && !isUnclean) return wait()
    isUrgent = false
    if (ready.length > 0 || isUnclean) await removeChats(ready)
    else await removeFiles()
    onChange()
  }

  async function removeChats(chats: readonly PendingPurge[]): Promise<void> {
    let failure: { error: unknown } | undefined
    const erased: PendingPurge[] = []
    try {
      for (const chat of chats) if (await eraseRows(chat)) erased.push(chat)
      await inSlices(store.merge)
      await cleanPages()
      for (let n = 1; !store.emptyLog() && n < EMPTYINGS; n++) await wait()
    } catch (error) {
      signal.throwIfAborted()
      // Files may be removed anyway; on a full disk that even helps.
      failure = { error }
    }
    await removeFiles()
    if (failure) throw failure.error
    const traces = await parts.removeTraces(erased)
    const left = [...traces, ...(await parts.cleanCopies(erased, !store.isClean()))]
    signal.throwIfAborted()
    const ids = erased.map(each => each.sessionId)
    if (left.length === 0) store.finish(ids)
    else for (const id of ids.length > 0 ? ids : [EARLIER]) held.add(id, left)
    while (!store.emptyLog()) await wait()
  }

  /** Store the files of a chat and delete its rows. A failure affects only this chat. */
  async function eraseRows({ sessionId }: PendingPurge): Promise<boolean> {
    try {
      store.addFiles(sessionId, await parts.filesOf(sessionId))
      await inSlices(() => store.erase(sessionId))
      return true
    } catch (error) {
      signal.throwIfAborted()
      report(error)
      held.add(sessionId, [parts.explain(error)])
      return false
    }
  }

  async function removeFiles(): Promise<void> {
    for (const file of waiting().files) {
      const left = await parts.removeFile(file.path)
      signal.throwIfAborted()
      if (left.length > 0) held.add(file.sessionId, left)
      else store.forgetFile(file)
      await others()
    }
  }

  async function cleanPages(): Promise<void> {
    for (;;) {
      const state = pages.step()
      if (state === 'done') return pages.sync()
      await (state === 'more' ? others() : wait())
      signal.throwIfAborted()
    }
  }

  /** Let other work run between the slices of some work. */
  async function inSlices(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await others()
      signal.throwIfAborted()
    }
  }

  function wait(): Promise<void> {
    return sleep(waitMs, undefined, { signal, ref: false })
  }

  return {
    list() {
      const days = graceDays()
      const left = (deletedAt: number) => Math.ceil((deletedAt + days * DAY - now()) / DAY)
      const chats = store.deleted().map(chat => ({
        ...chat,
        daysLeft: Math.min(days, Math.max(0, left(chat.deletedAt))),
      }))
      const gone = new Map(
        [...store.files(), ...store.pending()].map(each => [each.sessionId, each.deletedAt]),
      )
      const unremoved = held.list(gone)
      const removing = gone.size - unremoved.filter(({ id }) => gone.has(id)).length
      return { chats, days, removing, unremoved, paused: store.clock().doubtedAt !== null }
    },
    remove(ids) {
      store.begin(ids, { asked: true })
      held.release(ids)
      isUrgent = true
      onChange()
      retry.abort()
      start()
    },
    check: () => check(),
    idle: async () => working,
    async close() {
      clearInterval(timer)
      closing.abort()
      await working
    },
  }
}

/** Remains of chats, until they are retried. Only in memory: file names may contain words of a chat. */
type HeldBack = {
  add(sessionId: string, left: readonly Unremoved[]): void
  has(sessionId: string): boolean
  /** Allow a retry of these chats, or of all. Returns whether there were any. */
  release(ids?: readonly string[]): boolean
  /** Return the remains, with the time when each chat was deleted. */
  list(deletedAt: ReadonlyMap<string, number>): UnremovedChat[]
}

/** A placeholder for everything deleted before version 9, which left its bytes in the database. */
const EARLIER = 'earlier'

/** Hold back what cannot be removed until it is retried. */
function createHeldBack(): HeldBack {
  const all = new Map<string, Unremoved[]>()
  return {
    add(sessionId, left) {
      const before = all.get(sessionId) ?? []
      const fresh = left.filter(({ path }) => !before.some(each => each.path === path))
      all.set(sessionId, [...before, ...fresh])
    },
    has: sessionId => all.has(sessionId),
    release(ids = [...all.keys()]) {
      return ids.filter(id => all.delete(id)).length > 0
    },
    list: deletedAt => [...all].map(([id, files]) => ({ id, deletedAt: deletedAt.get(id) ?? null, files })),
  }
}
