import { getEventListeners } from 'node:events'
import { setImmediate as macrotask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { untilAborted } from './until-aborted.ts'

const never = new Promise<string>(() => {})

test('work that is done is what it came to, and leaves no listener behind', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('work that fails fails', async () => {
  const work = Promise.reject(new Error('no'))
  await expect(untilAborted(work, new AbortController().signal)).rejects.toThrow('no')
})

test('an abort leaves work behind that does not end', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(never, stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  expect(await untilAborted(never, stop.signal)).toBeUndefined()
})

test('work that ends within the grace after an abort still counts', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(macrotask('cleaned up'), stop.signal, 5_000)
  stop.abort()
  expect(await waiting).toBe('cleaned up')
})

test('an error of work that was left behind disturbs nobody', async () => {
  const stop = new AbortController()
  const late = Promise.withResolvers<string>()
  const waiting = untilAborted(late.promise, stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  late.reject(new Error('late'))
  await macrotask()
})
