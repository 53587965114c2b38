import { setImmediate as macrotask } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns, settled } from '../../../../testing/until.ts'
import { aStore } from '../../../../testing/db/a-store.ts'
import type { ReviewRow } from '../../db/learning/learning-tables.ts'
import type { Store } from '../../db/store.ts'
import { createReviewQueue, type ReviewEnd, type ReviewQueue } from './review-queue.ts'
import { aReview } from '../../../../testing/learning/a-learning.ts'

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

test('a review is stored at once, runs, and its outcome is stored', async () => {
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

test('requests for a chat are merged into its queued review, except a review before a summary', () => {
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

test('a review waits for the idle time, and one requested by the user does not', async () => {
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

test('blocked reviews wait without delaying those requested by the user', async () => {
  const { add, state } = aQueue()
  state.held = 'not now'
  add('a')
  const asked = add('b', { trigger: 'you' })
  await settled(() => expect(state.ran).toEqual([asked.id]))
})

test('a review before a summary runs ahead of older ones', async () => {
  const { add, state, queue } = aQueue({ idleBeforeMs: 3_600_000 })
  const old = add('a')
  const flush = add('b', { trigger: 'compaction' })
  state.idleBeforeMs = 0
  queue.wake()
  await settled(() => expect(state.ran).toEqual([flush.id, old.id]))
})

test('a review stops when the user writes in its chat, and is queued again without counting as failed', async () => {
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

test('a review cut off by the end of the process is queued again, and given up after three attempts', async () => {
  const before = [
    aReview({ id: 'once', sessionId: 'a', state: 'running', attempts: 1, endedAt: null }),
    aReview({ id: 'thrice', sessionId: 'b', state: 'running', attempts: 3, endedAt: null }),
    aReview({ id: 'events', sessionId: null, state: 'running', attempts: 1, endedAt: null }),
  ]
  const { reviewOf, state } = aQueue({ before })
  expect(reviewOf('thrice')).toMatchObject({
    state: 'failed',
    outcome: expect.stringContaining('three attempts'),
  })
  expect(reviewOf('events').state).toBe('dropped')
  await settled(() => expect(reviewOf('once')).toMatchObject({ state: 'done', attempts: 2 }))
  expect(state.ran).toEqual(['once'])
})

test('closing stops a running review and queues it for the next start', async () => {
  const { add, queue, reviewOf, state } = aQueue({ run: untilStopped })
  const { id } = add()
  await settled(() => expect(state.ran).toEqual([id]))
  await queue.close()
  expect(reviewOf(id)).toMatchObject({ state: 'queued', attempts: 0 })
})

test('a failing review is tried three times, then shows the reason', async () => {
  const { add, reviewOf, state } = aQueue({ run: async () => failed() })
  const { id } = add()
  await settled(() => expect(reviewOf(id).state).toBe('failed'))
  expect(state.ran).toHaveLength(3)
  expect(reviewOf(id)).toMatchObject({ outcome: 'No answer.', attempts: 3 })
})

test('a hopeless failure is not retried', async () => {
  const { add, reviewOf, state } = aQueue({ run: async () => failed(true) })
  const { id } = add()
  await settled(() => expect(reviewOf(id).state).toBe('failed'))
  expect(state.ran).toHaveLength(1)
})

test('a bug in one review is reported once, and the others continue', async () => {
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

test('a queued or running review can be cancelled', async () => {
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

test('switching learning off stops a running review, unless the user requested it', async () => {
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

test('after a failed write to disk the review runs later', async () => {
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
