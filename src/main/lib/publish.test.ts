import { expect, test } from 'vitest'
import { createBroadcast } from './publish.ts'

test('every listener gets what is published after it began to listen, in order', async () => {
  const broadcast = createBroadcast<number>()
  const { signal } = new AbortController()
  const first = broadcast.listen(signal)
  broadcast.publish(1)
  const second = broadcast.listen(signal)
  broadcast.publish(2)
  broadcast.close()
  expect([await Array.fromAsync(first), await Array.fromAsync(second)]).toEqual([[1, 2], [2]])
})

test('aborting ends a listener that waits, and only that one', async () => {
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

test('a listener that leaves before it asked for anything is forgotten', async () => {
  const broadcast = createBroadcast<number>()
  const { signal } = new AbortController()
  {
    await using left = broadcast.listen(signal)
    broadcast.publish(1)
    expect([left, broadcast.listening]).toEqual([left, 1])
  }
  expect(broadcast.listening).toBe(0)
})

test('a listener that leaves half-way is forgotten', async () => {
  const broadcast = createBroadcast<number>()
  const items = broadcast.listen(new AbortController().signal)
  broadcast.publish(1)
  for await (const item of items) {
    expect([item, broadcast.listening]).toEqual([1, 1])
    break
  }
  expect(broadcast.listening).toBe(0)
})
