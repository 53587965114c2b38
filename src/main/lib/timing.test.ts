import { getEventListeners } from 'node:events'
import { setImmediate as macrotask, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { abortableItems, letOthersRun, runInSlices, runToEnd, untilAborted } from './timing.ts'

const never = new Promise<string>(() => {})

test('finished work returns its value and leaves no listener', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('failed work throws', async () => {
  const work = Promise.reject(new Error('no'))
  await expect(untilAborted(work, new AbortController().signal)).rejects.toThrow('no')
})

test('an abort abandons work that does not end', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(never, stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  expect(await untilAborted(never, stop.signal)).toBeUndefined()
})

test('work that ends within the grace period after an abort still counts', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(macrotask('cleaned up'), stop.signal, 5_000)
  stop.abort()
  expect(await waiting).toBe('cleaned up')
})

test('an error of abandoned work is ignored', async () => {
  const stop = new AbortController()
  const late = Promise.withResolvers<string>()
  const waiting = untilAborted(late.promise, stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  late.reject(new Error('late'))
  await macrotask()
})

test('an abort abandons a source that never yields', async () => {
  const stop = new AbortController()
  async function* stuck() {
    yield 1
    await new Promise(() => {})
  }
  const got: number[] = []
  for await (const item of abortableItems(stuck(), stop.signal)) {
    got.push(item)
    stop.abort()
  }
  expect(got).toEqual([1])
})

test('leaving the loop closes the source', async () => {
  let closed = false
  async function* source() {
    try {
      for (let n = 0; ; n++) {
        await sleep(0)
        yield n
      }
    } finally {
      closed = true
    }
  }
  for await (const item of abortableItems(source(), new AbortController().signal)) if (item === 2) break
  await expect.poll(() => closed).toBe(true)
})

test('an error of the source reaches the caller', async () => {
  async function* broken() {
    yield 1
    throw new Error('broken')
  }
  await expect(Array.fromAsync(abortableItems(broken(), new AbortController().signal))).rejects.toThrow(
    'broken',
  )
})

test('work in slices lets other work be done between two of them, and returns its result', async () => {
  const order: string[] = []
  function* count() {
    for (let step = 1; step <= 3; step += 1) {
      order.push(`step ${step}`)
      yield
    }
    return 'done'
  }
  const others = (left: number): void => {
    order.push('other')
    if (left > 1) setImmediate(others, left - 1)
  }
  setImmediate(others, 2)
  expect(await runInSlices(count(), 0)).toBe('done')
  expect(order).toEqual(['step 1', 'other', 'step 2', 'other', 'step 3'])
  expect(runToEnd(count())).toBe('done')
})

test('slices of different work do not share a turn of the loop', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const turns = await Promise.all([1, 2, 3].map(() => letOthersRun().then(() => turn)))
  isOver = true
  expect(new Set(turns).size).toBe(3)
})
