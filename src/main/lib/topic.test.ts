import { expect, test } from 'vitest'
import { createBroadcast } from './topic.ts'

test('each listener gets, in order, what is published after it subscribed', async () => {
  const broadcast = createBroadcast<number>()
  const { signal } = new AbortController()
  const first = broadcast.listen(signal)
  broadcast.publish(1)
  const second = broadcast.listen(signal)
  broadcast.publish(2)
  broadcast.close()
  expect([await Array.fromAsync(first), await Array.fromAsync(second)]).toEqual([[1, 2], [2]])
})

test('aborting ends only the listener it belongs to', async () => {
  const broadcast = createBroadcast<string>()
  const leaving = new AbortController()
  const left = Array.fromAsync(broadcast.listen(leaving.signal))
  const stayed = Array.fromAsync(broadcast.listen(new AbortController().signal))
  broadcast.publish('a')
  leaving.abort()
  expect(await left).toEqual(['a'])
  broadcast.publish('b')
  broadcast.close()
  expect(await stayed).toEqual(['a', 'b'])
})

test('a listener that leaves before its first read is removed', async () => {
  const broadcast = createBroadcast<number>()
  const { signal } = new AbortController()
  {
    await using left = broadcast.listen(signal)
    broadcast.publish(1)
    expect([left, broadcast.listening]).toEqual([left, 1])
  }
  expect(broadcast.listening).toBe(0)
})

test('a listener that leaves half-way is removed', async () => {
  const broadcast = createBroadcast<number>()
  const items = broadcast.listen(new AbortController().signal)
  broadcast.publish(1)
  for await (const item of items) {
    expect([item, broadcast.listening]).toEqual([1, 1])
    break
  }
  expect(broadcast.listening).toBe(0)
})
