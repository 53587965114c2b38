import { expect, test } from 'vitest'
import { createFairLock, openEventQueue } from './async-queues.ts'

const never = new AbortController().signal

test('the lock is granted one at a time, in order of arrival', async () => {
  const turns = createFairLock()
  const order: string[] = []
  const take = async (name: string) => {
    const end = await turns.enter(never)
    order.push(`${name} in`)
    await Promise.resolve()
    order.push(`${name} out`)
    end?.()
  }
  await Promise.all([take('a'), take('b'), take('c')])
  expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('a waiter that gives up does not block the others', async () => {
  const turns = createFairLock()
  const first = await turns.enter(never)
  const controller = new AbortController()
  const second = turns.enter(controller.signal)
  const third = turns.enter(never)
  controller.abort()
  expect(await second).toBeUndefined()
  let isIn = false
  void third.then(() => (isIn = true))
  await new Promise(setImmediate)
  expect(isIn).toBe(false)
  first?.()
  expect(await third).toBeTypeOf('function')
})

test('events are read in order, including those from before reading began', async () => {
  const queue = openEventQueue<number>(new AbortController().signal)
  queue.push(1)
  const all = Array.fromAsync(queue.items())
  queue.push(2)
  await Promise.resolve()
  queue.push(3)
  queue.end()
  expect(await all).toEqual([1, 2, 3])
})

test('an abort ends reading at once, even if events are left', async () => {
  const controller = new AbortController()
  const queue = openEventQueue<number>(controller.signal)
  queue.push(1)
  queue.push(2)
  const seen: number[] = []
  for await (const event of queue.items()) {
    seen.push(event)
    controller.abort()
  }
  expect(seen).toEqual([1])
})
