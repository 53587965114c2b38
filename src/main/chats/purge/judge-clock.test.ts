import { describe, expect, test } from 'vitest'
import type { ClockState } from '../../db/removal/purge-tables.ts'
import { judgeClock, wasWrong } from './judge-clock.ts'

const DAY = 86_400_000
const unknown: ClockState = { seenAt: null, trustedAt: null, doubtedAt: null }

/** Return the state after starts on these days. */
const after = (...days: number[]) =>
  days.reduce((state, day) => judgeClock(state, day * DAY, { isStart: true }), unknown)

describe('the clock', () => {
  test.for<[string, number[], number | null, number | null]>([
    ['is trusted at the first start', [100], 100, null],
    ['is trusted within thirty days', [100, 129], 129, null],
    ['is doubted after more than thirty days', [100, 131], 100, 131],
    ['is still doubted less than a day later', [100, 131, 131.9], 100, 131],
    ['is confirmed by a start a day later', [100, 131, 132], 132, null],
    ['is trusted again when it goes back to where it was', [100, 400, 101], 101, null],
    ['is doubted anew when it goes back, but not that far', [100, 400, 300], 100, 300],
    ['is trusted up to the start before, when every start is a leap', [100, 160, 220], 160, 220],
    ['is trusted when it was set back', [100, 50], 50, null],
  ])('%s', ([, starts, trusted, doubted]) => {
    const { trustedAt, doubtedAt } = after(...starts)
    expect([trustedAt, doubtedAt]).toEqual([(trusted ?? 0) * DAY, doubted === null ? null : doubted * DAY])
  })

  test('is not confirmed while Talaria goes on running', () => {
    const doubted = after(100, 131)
    expect(judgeClock(doubted, 140 * DAY, { isStart: false }).doubtedAt).toBe(131 * DAY)
  })

  test('was wrong when it goes back to where it was, and not when it is confirmed', () => {
    const doubted = after(100, 400)
    expect(wasWrong(doubted, judgeClock(doubted, 101 * DAY, { isStart: true }))).toBe(true)
    expect(wasWrong(doubted, judgeClock(doubted, 402 * DAY, { isStart: true }))).toBe(false)
  })
})
