import { setImmediate as macrotask } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns, settled } from '../../../testing/until.ts'
import { aStore } from '../../../testing/db/a-store.ts'
import type { ReviewRow } from '../db/learning-tables.ts'
import type { Store } from '../db/store.ts'
import { createReviewQueue, type ReviewEnd, type ReviewQueue } from './review-queue.ts'
import { aReview } from '../../../testing/learning/a-learning.ts'

const done = (outcome = 'Fine.'): ReviewEnd => ({ end: 'done', outcome, cost: null, upToId: 9 })
const failed = (hopeless = false): ReviewEnd => ({
  end: 'failed',
  outcome: 'No answer.',
  cost: null,
  upToId: 9,
  hopeless,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
const open: { queue: ReviewQueue; store: Disposable }[] = []
afterEach(async () => {
  for (const { queue, store } of open.splice(0)) {
    await queue.close()
    store[Symbol.dispose]()
  }
  vi.useRealTimers()
})

type Given = {
  run?: (review: ReviewRow, signal: AbortSignal) => Promise<ReviewEnd>
  before?: ReviewRow[]
  idleBeforeMs?: number
}
function aQueue({ run = async () => done(), before = [], idleBeforeMs = 0 }: Given = {}) {
  const store = aStore(Date.now)
  for (const review of before) store.learning.putReview(review)
  const state = {
    held: undefined as string | undefined,
    isOff: false,
    idleBeforeMs,
    ran: [] as string[],
    reported: [] as unknown[],
  }
  const start = (learning: Store['learning'] = store.learning) =>
    createReviewQueue({
      store: learning,
      blockedReason: (_review, requestedByUser) => (requestedByUser ? undefined : state.held),
      isOff: () => state.isOff,
      idleBeforeMs: () => state.idleBeforeMs,
      async run(review, signal) {
        state.ran.push(review.id)
        return run(review, signal)
      },
      onChange: () => {},
      now: Date.now,
      report: error => void state.reported.push(error),
      retryMs: 1,
    })
  const queue = start()
  open.push({ queue, store })
  const add = (sessionId = 's', given: Partial<Parameters<ReviewQueue['add']>[0]> = {}) =>
    queue.add({ sessionId, trigger: 'memory_nudge', kinds: ['memory'], upToId: 5, ...given })
  return {
    store: store.learning,
    state,
    queue,
    start,
    add,
    reviewOf: (id: string) => store.learning.review(id)!,
  }
}
/** Runs until it is stopped. */
const untilStopped = async (_review: ReviewRow, signal: AbortSignal): Promise<ReviewEnd> => {
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  return { end: 'again' }
}

test('a review is kept at once, runs, and what came of it is kept', async () => {
  const { add, reviewOf } = aQueue()
  const { id } = add()
  expect(reviewOf(id)).toMatchObject({ state: 'queued', attempts: 0 })
  await settled(() =>
    expect(reviewOf(id)).toMatchObject({
      state: 'done',
      outcome: 'Fine.',
      attempts: 1,
      upToId: 9,
      endedAt: expect.any(Number),
    }),
  )
})

test('reviews run one at a time', async () => {
  let running = 0
  let most = 0
  const { add, state } = aQueue({
    async run() {
      most = Math.max(most, ++running)
      await macrotask()
      running--
      return done()
    },
  })
  for (const session of ['a', 'b', 'c']) add(session)
  await settled(() => expect(state.ran).toHaveLength(3))
  expect(most).toBe(1)
})

test('what waits for a chat already is asked for once, with everything that is wanted; a summary has its own', () => {
  const { add, store, state } = aQueue()
  state.held = 'not now'
  const first = add('s', { upToId: 5 })
  const second = add('s', { trigger: 'skill_nudge', kinds: ['skills'], upToId: 8 })
  expect(second).toMatchObject({
    id: first.id,
    kinds: ['memory', 'skills'],
    upToId: 8,
    trigger: 'memory_nudge',
  })
  add('other')
  add('s', { trigger: 'compaction', upToId: 3 })
  expect(store.waitingReviews()).toHaveLength(3)
})

test('it waits until it has been quiet for long enough, and what the person asks for does not', async () => {
  const { add, queue, state } = aQueue({ idleBeforeMs: 3_600_000 })
  const { id } = add('a')
  add('b')
  await clockRuns(3_500_000, 60_000)
  expect(state.ran).toEqual([])
  const asked = add('c', { trigger: 'you' })
  await settled(() => expect(state.ran).toEqual([asked.id]))
  queue.prioritiseAll()
  await settled(() => expect(state.ran).toHaveLength(3))
  expect(state.ran[1]).toBe(id)
})

test('what is held waits, and does not hold up what the person asked for', async () => {
  const { add, state } = aQueue()
  state.held = 'not now'
  add('a')
  const asked = add('b', { trigger: 'you' })
  await settled(() => expect(state.ran).toEqual([asked.id]))
})

test('what is about to be forgotten goes before what has waited longer', async () => {
  const { add, state, queue } = aQueue({ idleBeforeMs: 3_600_000 })
  const old = add('a')
  const flush = add('b', { trigger: 'compaction' })
  state.idleBeforeMs = 0
  queue.wake()
  await settled(() => expect(state.ran).toEqual([flush.id, old.id]))
})

test('a review makes way for the person in its chat at once, goes on waiting, and has not failed', async () => {
  let calls = 0
  const { add, queue, reviewOf, state } = aQueue({
    run: (review, signal) => (++calls === 1 ? untilStopped(review, signal) : Promise.resolve(done())),
  })
  const { id } = add('s')
  await settled(() => expect(reviewOf(id).state).toBe('running'))
  queue.onActivity('other')
  await clockRuns(60_000, 1_000)
  expect(reviewOf(id).state).toBe('running')
  state.idleBeforeMs = 3_600_000
  queue.onActivity('s')
  await settled(() => expect(reviewOf(id)).toMatchObject({ state: 'queued', attempts: 0 }))
  state.idleBeforeMs = 0
  queue.wake()
  await settled(() => expect(reviewOf(id)).toMatchObject({ state: 'done', attempts: 1 }))
})

test('one that ran when the process ended waits again, and is given up after the third time', async () => {
  const before = [
    aReview({ id: 'once', sessionId: 'a', state: 'running', attempts: 1, endedAt: null }),
    aReview({ id: 'thrice', sessionId: 'b', state: 'running', attempts: 3, endedAt: null }),
    aReview({ id: 'events', sessionId: null, state: 'running', attempts: 1, endedAt: null }),
  ]
  const { reviewOf, state } = aQueue({ before })
  expect(reviewOf('thrice')).toMatchObject({
    state: 'failed',
    outcome: expect.stringContaining('three tries'),
  })
  expect(reviewOf('events').state).toBe('dropped')
  await settled(() => expect(reviewOf('once')).toMatchObject({ state: 'done', attempts: 2 }))
  expect(state.ran).toEqual(['once'])
})

test('closing stops what runs, which waits for the next start', async () => {
  const { add, queue, reviewOf, state } = aQueue({ run: untilStopped })
  const { id } = add()
  await settled(() => expect(state.ran).toEqual([id]))
  await queue.close()
  expect(reviewOf(id)).toMatchObject({ state: 'queued', attempts: 0 })
})

test('what fails is tried three times, and then says why it failed', async () => {
  const { add, reviewOf, state } = aQueue({ run: async () => failed() })
  const { id } = add()
  await settled(() => expect(reviewOf(id).state).toBe('failed'))
  expect(state.ran).toHaveLength(3)
  expect(reviewOf(id)).toMatchObject({ outcome: 'No answer.', attempts: 3 })
})

test('what is hopeless is not tried again', async () => {
  const { add, reviewOf, state } = aQueue({ run: async () => failed(true) })
  const { id } = add()
  await settled(() => expect(reviewOf(id).state).toBe('failed'))
  expect(state.ran).toHaveLength(1)
})

test('a bug in a review is told once, and the others go on', async () => {
  const { add, reviewOf, state } = aQueue({
    async run({ sessionId }) {
      if (sessionId === 'a') throw new TypeError('a bug')
      return done()
    },
  })
  const bad = add('a')
  const good = add('b')
  await settled(() => expect([reviewOf(bad.id).state, reviewOf(good.id).state]).toEqual(['failed', 'done']))
  expect(state.reported).toHaveLength(1)
})

test('one that waits can be cancelled, and one that runs stops', async () => {
  const { add, queue, reviewOf, state } = aQueue({ run: untilStopped })
  const first = add('a')
  const second = add('b')
  expect(queue.cancel(second.id)).toBe(true)
  await settled(() => expect(state.ran).toEqual([first.id]))
  expect(queue.cancel(first.id)).toBe(true)
  await settled(() => expect(queue.running).toBeUndefined())
  for (const { id } of [first, second])
    expect(reviewOf(id)).toMatchObject({ state: 'dropped', outcome: 'You cancelled it.' })
  expect(queue.cancel(first.id)).toBe(false)
  expect(queue.cancel('none')).toBe(false)
})

test('what runs stops when learning is switched off, unless the person asked for it', async () => {
  const { add, queue, reviewOf, state } = aQueue({ run: untilStopped })
  const { id } = add()
  await settled(() => expect(state.ran).toEqual([id]))
  Object.assign(state, { isOff: true, held: 'off' })
  queue.wake()
  await settled(() => expect(reviewOf(id).state).toBe('queued'))
  const asked = add('other', { trigger: 'you' })
  await settled(() => expect(reviewOf(asked.id).state).toBe('running'))
  queue.wake()
  await clockRuns(60_000, 1_000)
  expect(reviewOf(asked.id).state).toBe('running')
})

test('a disk that refuses for a moment costs nothing but time', async () => {
  const { store, state, start, queue } = aQueue()
  await queue.close()
  let refuses = true
  const again = start({
    ...store,
    putReview(review) {
      if (refuses && review.state === 'running') {
        refuses = false
        throw new Error('The disk is full.')
      }
      store.putReview(review)
    },
  })
  const { id } = again.add({ sessionId: 's', trigger: 'memory_nudge', kinds: ['memory'], upToId: 1 })
  await settled(() => expect(state.reported).toHaveLength(1))
  expect(store.review(id)!.state).toBe('queued')
  again.wake()
  await settled(() => expect(store.review(id)!.state).toBe('done'))
  await again.close()
})
