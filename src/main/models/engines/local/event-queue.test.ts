import { expect, test } from 'vitest'
import { openEventQueue } from './event-queue.ts'

test('events come in order, those from before the reading too', async () => {
  const queue = openEventQueue<number>(new AbortController().signal)
  queue.push(1)
  const all = Array.fromAsync(queue.items())
  queue.push(2)
  await Promise.resolve()
  queue.push(3)
  queue.end()
  expect(await all).toEqual([1, 2, 3])
})

test('an abort ends the reading at once, even if events are left', async () => {
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
