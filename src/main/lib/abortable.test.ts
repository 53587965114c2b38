import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { abortable } from './abortable.ts'

test('an abort leaves a source that never answers', async () => {
  const stop = new AbortController()
  async function* stuck() {
    yield 1
    await new Promise(() => {})
  }
  const got: number[] = []
  for await (const item of abortable(stuck(), stop.signal)) {
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
  for await (const item of abortable(source(), new AbortController().signal)) if (item === 2) break
  await expect.poll(() => closed).toBe(true)
})

test('an error of the source reaches the caller', async () => {
  async function* broken() {
    yield 1
    throw new Error('broken')
  }
  await expect(Array.fromAsync(abortable(broken(), new AbortController().signal))).rejects.toThrow('broken')
})
