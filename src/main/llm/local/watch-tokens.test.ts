import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { watchTokens } from './watch-tokens.ts'

/** A watch that has seen a hundred tokens of 20 ms, and the changes that it makes from then on. */
function watching(threads: number) {
  const changes: number[] = []
  const watch = watchTokens(threads, count => changes.push(count))
  const tokens = (count: number, ms: number) => {
    for (let left = count; left > 0; left--) watch.token(ms)
  }
  tokens(100, 20)
  return { watch, changes, tokens }
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
  const watch = watchTokens(4, count => changes.push(count))
  for (const ms of [800, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 800, 800, 800]) watch.token(ms)
  expect(changes).toEqual([2])
})

test('the threads come back when the engine is idle, and the usual time is still known', () => {
  const { watch, tokens, changes } = watching(4)
  tokens(3, 400)
  tokens(50, 45)
  watch.idle()
  expect(changes).toEqual([2, 4])
  tokens(3, 120)
  expect(changes).toEqual([2, 4, 2])
  watch.idle()
  watch.idle()
  expect(changes).toEqual([2, 4, 2, 4])
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
  const fast = watchTokens(8, count => changes.push(count))
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
        const watch = watchTokens(most, count => counts.push(count))
        for (const event of events) {
          if (event === 'idle') watch.idle()
          else watch.token(event)
        }
        expect(counts.filter(count => !Number.isInteger(count) || count < 1 || count > most)).toEqual([])
        watch.idle()
        expect(counts.at(-1) ?? most).toBe(most)
      },
    ),
  )
})
