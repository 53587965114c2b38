import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'
import type { DeletedChat } from '../../../shared/contract/session.ts'
import type { PageCleaner } from '../../db/clean-pages.ts'
import type { PendingPurge, PurgeStore, ClockState } from '../../db/purge-tables.ts'

const DAY = 24 * 60 * 60_000
/** How often to look for chats whose time is over, in ms. */
const CHECK_MS = 60 * 60_000
/** How long to wait for what is in the way, such as an answer in progress, in ms. */
const WAIT_MS = 500
/** How long to wait after a failure, such as a full disk, in ms. */
const RETRY_MS = 10 * 60_000

type Parts = {
  store: PurgeStore
  pages: Pick<PageCleaner, 'step' | 'sync'>
  /** The days for which a deleted chat can be restored. */
  graceDays(): number
  /** Whether an answer is being written; a removal without a request waits until then. */
  isBusy(): boolean
  /** Whether anything still works on a chat. */
  isInUse(sessionId: string): boolean
  /** Remove everything of these chats that is outside the database; called while their messages are there. */
  removeFiles(chats: readonly PendingPurge[]): Promise<void>
  /** Remove them from backups and other copies; `all` rewrites every copy. */
  cleanCopies(chats: readonly PendingPurge[], all: boolean): Promise<void>
  /** The list of deleted chats has changed. */
  onChange(): void
  now(): number
  report(error: unknown): void
  waitMs?: number
}

/** Removes deleted chats for good: after their grace time, or at once when a person asks. */
export type Purge = {
  /** Chats that can be restored, newest first, and how many are being removed. `paused` while the clock is not trusted. */
  list(): { chats: DeletedChat[]; days: number; removing: number; paused: boolean }
  /** Begin to remove chats. Resolves as soon as that is stored; what a crash leaves is finished at the next start. */
  remove(ids: readonly string[]): void
  /** Look for chats whose grace time is over. */
  check(): void
  /** Resolves when nothing is being removed, or when closed. */
  idle(): Promise<void>
  close(): Promise<void>
}

/**
 * Open the removal of deleted chats, and go on with what a crash cut off. The order keeps every step repeatable: first it
 * is stored that a chat is to go, then its files are removed while its messages still name them, then its rows and words,
 * then the bytes that they left, and the backups last, because one may have been made in between.
 */
export function openPurge(parts: Parts): Purge {
  const { store, pages, graceDays, isBusy, isInUse, removeFiles, cleanCopies, onChange, now, report } = parts
  const { waitMs = WAIT_MS } = parts
  const closing = new AbortController()
  const { signal } = closing
  let working: Promise<void> | undefined
  /** Ends the wait after a failure. */
  let retry = new AbortController()
  check({ isStart: true })
  const timer = setInterval(check, CHECK_MS).unref()

  function check({ isStart } = { isStart: false }): void {
    const before = store.clock()
    const clock = judgeClock(before, now(), { isStart })
    store.putClock(clock, { resetLater: wasWrong(before, clock) })
    const trusted = clock.trustedAt ?? 0
    if (store.begin(store.due(trusted - graceDays() * DAY), { asked: false }) > 0) onChange()
    start()
  }

  function start(): void {
    if (!signal.aborted) working ??= work()
  }

  async function work(): Promise<void> {
    // The first look comes after the assignment above, and the last one just before the end.
    await others()
    while (!signal.aborted && (store.pending().length > 0 || !store.isClean())) await attempt()
    working = undefined
  }

  async function attempt(): Promise<void> {
    try {
      const chats = store.pending()
      if (isBusy() && !chats.some(each => each.asked)) await wait()
      else await removeAll(chats)
    } catch (error) {
      if (signal.aborted) return
      report(error)
      retry = new AbortController()
      const either = AbortSignal.any([signal, retry.signal])
      await sleep(RETRY_MS, undefined, { signal: either, ref: false }).catch(() => undefined)
    }
  }

  async function removeAll(chats: readonly PendingPurge[]): Promise<void> {
    const ids = chats.map(each => each.sessionId)
    while (ids.some(isInUse)) await wait()
    if (chats.length > 0) await removeFiles(chats)
    for (const id of ids) await inSlices(() => store.erase(id))
    await inSlices(store.merge)
    await cleanPages()
    await cleanCopies(chats, !store.isClean())
    signal.throwIfAborted()
    store.finish(ids)
    while (!store.emptyLog()) await wait()
    onChange()
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
      return { chats, days, removing: store.pending().length, paused: store.clock().doubtedAt !== null }
    },
    remove(ids) {
      store.begin(ids, { asked: true })
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

/** A clock that went on by more than this since it was last read may be wrong. */
const LEAP = 30 * DAY
/** How long after a doubted reading a start must be that confirms it. */
const CONFIRMED_AFTER = DAY

/**
 * Read the clock again. After a leap the reading is doubted, and what was known before stays trusted. A later start, at
 * least a day on, confirms the reading when the clock has not gone back; going back to about where it was ends the doubt
 * as well.
 */
export function judgeClock(before: ClockState, now: number, { isStart }: { isStart: boolean }): ClockState {
  const { seenAt, trustedAt, doubtedAt } = before
  const trusted: ClockState = { seenAt: now, trustedAt: now, doubtedAt: null }
  if (seenAt === null || trustedAt === null) return trusted
  const isLeap = now - seenAt > LEAP
  if (doubtedAt === null) return isLeap ? { seenAt: now, trustedAt: seenAt, doubtedAt: now } : trusted
  if (now - trustedAt <= LEAP) return trusted
  if (!isStart || now - doubtedAt < CONFIRMED_AFTER)
    return { seenAt: now, trustedAt, doubtedAt: Math.min(doubtedAt, now) }
  // A person who starts Talaria every two months leaps each time; then the reading before this one is the trusted one.
  return isLeap ? { seenAt: now, trustedAt: doubtedAt, doubtedAt: now } : trusted
}

/** Whether a doubted clock has turned out to be wrong, so that deletions were dated into the future. */
export const wasWrong = (before: ClockState, after: ClockState): boolean =>
  before.doubtedAt !== null && after.doubtedAt === null && (after.seenAt ?? 0) < before.doubtedAt
