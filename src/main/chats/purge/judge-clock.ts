import type { ClockState } from '../../db/removal/purge-tables.ts'

const DAY = 24 * 60 * 60_000
/** A clock that advanced by more than this since its last reading may be wrong. */
const LEAP = 30 * DAY
/** Minimum time between a doubted reading and the later start that confirms it. */
const CONFIRMED_AFTER = DAY

/**
 * Read the clock again. After a leap the reading is doubted, and the previous one stays trusted. A later
 * start, at least a day on, confirms the reading if the clock has not gone back. Going back to about the old
 * time also ends the doubt.
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
  // A user who starts Talaria every two months leaps each time; then trust the previous reading.
  return isLeap ? { seenAt: now, trustedAt: doubtedAt, doubtedAt: now } : trusted
}

/** Return whether a doubted clock turned out to be wrong, so that deletions were dated into the future. */
export const wasWrong = (before: ClockState, after: ClockState): boolean =>
  before.doubtedAt !== null && after.doubtedAt === null && (after.seenAt ?? 0) < before.doubtedAt
