import type { ClockState } from '../../db/removal/purge-tables.ts'

const DAY = 24 * 60 * 60_000
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
