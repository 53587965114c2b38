import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchTokens } from './watch-tokens.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const measured = (threads: number) => ({ threads, most: threads, isMeasured: true })

/** A watch that has seen a hundred tokens of 20 ms, and the changes that it makes from then on. */
function watching(threads: number) {
  const changes: number[] = []
  const watch = watchTokens(measured(threads), count => changes.push(count))
  const tokens = (count: number, ms: number) => {
    for (let left = count; left > 0; left--) watch.token(ms)
  }
  tokens(100, 20)
  return { watch, changes, tokens }
}

/** A machine on which a token takes a time that depends on the threads; `reply` gives the milliseconds of so many tokens. */
function machine({
  threads,
  most = threads,
  isMeasured = false,
  tokenMs,
  from = threads,
}: {
  threads: number
  most?: number
  isMeasured?: boolean
  tokenMs: (threads: number) => number
  from?: number
}) {
  const changes: number[] = []
  let running = from
  const watch = watchTokens({ threads: from, most, isMeasured }, count => {
    running = count
    changes.push(count)
  })
  const reply = (tokens: number) => {
    let spent = 0
    for (let left = tokens; left > 0; left--) {
      const ms = tokenMs(running)
      spent += ms
      watch.token(ms)
    }
    return spent
  }
  return { watch, changes, reply, threads: () => running }
}

test('three tokens in a row that take five times as long halve the threads', () => {
  const { tokens, changes } = watching(8)
  tokens(2, 120)
  expect(changes).toEqual([])
  tokens(1, 120)
  expect(changes).toEqual([4])
})

test('while it stays slow, threads are halved again, down to one', () => {
  const { tokens, changes } = watching(7)
  tokens(30, 400)
  expect(changes).toEqual([3, 1])
})

test('a slow token now and then changes nothing', () => {
  const { tokens, changes } = watching(8)
  for (let times = 0; times < 50; times++) {
    tokens(1, 900)
    tokens(4, 20)
  }
  expect(changes).toEqual([])
})

test('slow tokens that keep coming with fast ones in between halve the threads as well', () => {
  const { tokens, changes } = watching(8)
  for (let times = 0; times < 5; times++) {
    tokens(1, 900)
    tokens(1, 20)
  }
  expect(changes).toEqual([4])
})

test('one token that takes seconds instead of an instant is enough', () => {
  const { tokens, changes } = watching(8)
  tokens(1, 2_000)
  expect(changes).toEqual([4])
})

test('a slow start is not taken for the usual', () => {
  const changes: number[] = []
  const watch = watchTokens(measured(4), count => changes.push(count))
  for (const ms of [800, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 800, 800, 800]) watch.token(ms)
  expect(changes).toEqual([2])
})

test('the threads come back after a rest, and the usual time is still known', () => {
  const { watch, tokens, changes } = watching(4)
  tokens(3, 400)
  tokens(5, 45)
  watch.idle()
  vi.advanceTimersByTime(20_000)
  tokens(5, 45)
  watch.idle()
  vi.advanceTimersByTime(20_000)
  expect(changes).toEqual([2])
  vi.advanceTimersByTime(20_000)
  expect(changes).toEqual([2, 4])
  tokens(3, 120)
  expect(changes).toEqual([2, 4, 2])
})

test('a short reply is enough to get threads back that are free again', () => {
  const { watch, changes, tokens } = watching(4)
  tokens(3, 400)
  expect(changes).toEqual([2])
  watch.idle()
  tokens(8, 45)
  expect(changes).toEqual([2, 4])
  tokens(5, 20)
  watch.idle()
  vi.advanceTimersByTime(60_000)
  expect(changes).toEqual([2, 4])
})

test('a machine that is free again gets its threads back in the middle of a reply', () => {
  const { changes, reply } = machine({ threads: 4, tokenMs: count => (count === 4 ? 500 : 45) })
  reply(30)
  expect(changes.at(-1)).toBe(2)
  const free = machine({ threads: 4, tokenMs: count => 80 / count, from: 2 })
  free.reply(100)
  expect(free.threads()).toBe(4)
})

test('threads that are slower than fewer are given up, also when that was so from the first token on', () => {
  const { threads, reply } = machine({ threads: 2, tokenMs: count => (count === 2 ? 92 : 28) })
  reply(40)
  expect(threads()).toBe(1)
})

test('what was measured is not put to the test again while nothing has changed', () => {
  const { changes, reply } = machine({ threads: 4, isMeasured: true, tokenMs: count => 80 / count })
  reply(2_000)
  expect(changes).toEqual([])
})

test('where fewer threads are no better they are tried seldom, and for a few tokens', () => {
  const tokenMs = (count: number) => (count === 4 ? 40 : 60)
  const { changes, reply } = machine({ threads: 4, tokenMs })
  reply(1_000)
  const trials = changes.filter(count => count === 2).length
  expect(trials).toBeLessThanOrEqual(8)
  expect(changes.length).toBe(trials * 2)
})

test('a trial that makes a token take seconds is over with that token', () => {
  const { changes, reply } = machine({
    threads: 1,
    most: 2,
    isMeasured: true,
    tokenMs: n => (n === 2 ? 3_000 : 30),
  })
  const spent = reply(1_000)
  expect(changes.slice(0, 2)).toEqual([2, 1])
  expect(changes.filter(count => count === 2).length).toBeLessThanOrEqual(6)
  expect(spent).toBeLessThan(1_000 * 30 + 6 * 3_000)
})

test.for([1, 2, 3])('beside %d busy neighbours two threads end up no slower than one', neighbours => {
  // Two threads wait for each other whenever one of them is put aside.
  const tokenMs = (count: number) => (count === 2 ? 18 * 2.2 ** neighbours : 21 * (1 + neighbours / 6))
  const { reply } = machine({ threads: 2, tokenMs })
  const spent = reply(1_000)
  expect(spent).toBeLessThan(1_000 * tokenMs(1) * 1.1)
})

test('a long chat that gets slower bit by bit keeps its threads', () => {
  const { watch, changes } = watching(8)
  for (let token = 0; token < 2_000; token++) watch.token(20 + token / 10)
  expect(changes).toEqual([])
})

test('one thread stays one, and tokens that are fast anyway are left alone', () => {
  const one = watching(1)
  one.tokens(50, 5_000)
  const changes: number[] = []
  const fast = watchTokens(measured(8), count => changes.push(count))
  for (const ms of [1, 1, 1, 9, 9, 9, 9]) fast.token(ms)
  expect([one.changes, changes]).toEqual([[], []])
})

test('whatever the times, there is always at least one thread and never more than at first', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.oneof(fc.double({ min: 0, max: 10_000, noNaN: true }), fc.constant('idle' as const))),
      (most, events) => {
        const counts: number[] = []
        const watch = watchTokens({ threads: most, most, isMeasured: false }, count => counts.push(count))
        for (const event of events) {
          if (event === 'idle') watch.idle()
          else watch.token(event)
        }
        expect(counts.filter(count => !Number.isInteger(count) || count < 1 || count > most)).toEqual([])
        watch.idle()
        vi.advanceTimersByTime(60_000)
        expect(counts.at(-1) ?? most).toBe(most)
      },
    ),
  )
})
