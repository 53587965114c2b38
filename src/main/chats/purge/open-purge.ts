import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'
import type { DeletedChat, UnremovedChat } from '../../../shared/contract/chats/session.ts'
import type { PageCleaner } from '../../db/removal/clean-pages.ts'
import type { PendingFile, PendingPurge, PurgeStore } from '../../db/removal/purge-tables.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'
import { judgeClock, wasWrong } from './judge-clock.ts'

const DAY = 24 * 60 * 60_000
/** How often to look for chats whose time is over, in ms. */
const CHECK_MS = 60 * 60_000
/** How long to wait for what is in the way, such as an answer in progress, in ms. */
const WAIT_MS = 500
/** How long to wait after a failure of the database, such as a full disk, in ms. */
const RETRY_MS = 10 * 60_000
/** How often to try to empty the log of the database before the files go. Something may be reading for long. */
const EMPTYINGS = 4

type Parts = {
  store: PurgeStore
  pages: Pick<PageCleaner, 'step' | 'sync'>
  /** The days for which a deleted chat can be restored. */
  graceDays(): number
  /** Whether an answer is being written; a removal without a request waits until then. */
  isBusy(): boolean
  /** Whether anything still works on a chat. */
  isInUse(sessionId: string): boolean
  /** End what works for a chat. Never rejects. */
  endChat(sessionId: string): Promise<void>
  /** The files and folders of a chat, relative to the home; called while its messages are there. */
  filesOf(sessionId: string): Promise<string[]>
  /** Remove one of them. Resolves to what is left of it. */
  removeFile(path: string): Promise<Unremoved[]>
  /** Remove what these chats left in files that hold more than one chat; called when their messages are gone. */
  removeTraces(chats: readonly PendingPurge[]): Promise<Unremoved[]>
  /** Remove them from backups and other copies; `all` rewrites every copy. */
  cleanCopies(chats: readonly PendingPurge[], all: boolean): Promise<Unremoved[]>
  /** What a failure of the database means, in words. */
  explain(error: unknown): Unremoved
  /** The list of deleted chats has changed. */
  onChange(): void
  now(): number
  report(error: unknown): void
  waitMs?: number
}

/** Removes deleted chats for good: after their grace time, or at once when a person asks. */
export type Purge = {
  /**
   * Chats that can be restored, newest first, how many are being removed, and of which something cannot be removed. `paused`
   * while the clock is not trusted.
   */
  list(): {
    chats: DeletedChat[]
    days: number
    removing: number
    unremoved: UnremovedChat[]
    paused: boolean
  }
  /**
   * Begin to remove chats, or try again to remove what is left of them. Resolves as soon as that is stored; what a crash
   * leaves is finished at the next start.
   */
  remove(ids: readonly string[]): void
  /** Look for chats whose grace time is over, and try again what could not be removed. */
  check(): void
  /** Resolves when nothing is being removed, or when closed. */
  idle(): Promise<void>
  close(): Promise<void>
}

/**
 * Open the removal of deleted chats, and go on with what a crash cut off. The order keeps every step repeatable, and no chat
 * waits for another, nor rows and words for files: first it is stored that a chat is to go, then what works for it ends, then
 * its files are stored, which its messages name; then its rows and words go, then the bytes that they left, then its files,
 * and the backups last, because one may have been made in between. What cannot be removed is told, stays stored, and is tried
 * again at each start, each hour, and when somebody asks.
 */
export function openPurge(parts: Parts): Purge {
  const { store, pages, graceDays, isBusy, isInUse, onChange, now, report } = parts
  const { waitMs = WAIT_MS } = parts
  const closing = new AbortController()
  const { signal } = closing
  const held = createHeldBack()
  /** Chats for which nothing works any more. */
  const ended = new Set<string>()
  let working: Promise<void> | undefined
  /** Somebody asked to try again. */
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
    // The first look comes after the assignment above, and the last one just before the end.
    await others()
    while (!signal.aborted && isLeft(waiting())) await attempt()
    working = undefined
  }

  type Work = { chats: PendingPurge[]; files: PendingFile[]; isUnclean: boolean }

  /** What is to be removed and was not given up until it is tried again. */
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
      // Files may go all the same; on a full disk that even helps.
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

  /** Store the files of a chat and delete its rows. A failure concerns this chat alone. */
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

  /** Let others run between the slices of some work. */
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

/** What is left of chats, until it is tried again. In memory only: names of files may be words of a chat. */
type HeldBack = {
  add(sessionId: string, left: readonly Unremoved[]): void
  has(sessionId: string): boolean
  /** Let these chats be tried again, or all. Whether there were any. */
  release(ids?: readonly string[]): boolean
  /** What is left, with when each chat was deleted. */
  list(deletedAt: ReadonlyMap<string, number>): UnremovedChat[]
}

/** Stands for what was deleted before version 9, which left its bytes in the database. */
const EARLIER = 'earlier'

/** Keep what cannot be removed until it is tried again. */
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
