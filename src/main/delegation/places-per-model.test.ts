import { expect, test } from 'vitest'
import { createPlaces, type ModelPlaces } from './places-per-model.ts'

/** Workers in lanes; each reports when it starts, and works until it is told to end. */
function workers(laneFor: (modelId: string) => ModelPlaces) {
  const lanes = createPlaces(laneFor)
  const began: string[] = []
  const at = new Map<string, { warm(): void; end(): void; over: Promise<unknown> }>()
  return {
    began,
    /** Let a worker start as soon as it may; the signal can withdraw it. */
    start(name: string, modelId = 'm', signal = new AbortController().signal) {
      const gate = Promise.withResolvers<void>()
      const one = { warm: () => {}, end: gate.resolve, over: Promise.resolve<unknown>(undefined) }
      one.over = lanes.within(modelId, signal, async warm => {
        began.push(name)
        one.warm = warm
        await gate.promise
        return name
      })
      at.set(name, one)
      return one
    },
    warm: (name: string) => at.get(name)!.warm(),
    async end(name: string) {
      at.get(name)!.end()
      await at.get(name)!.over
    },
  }
}
const settled = () => new Promise(resolve => setImmediate(resolve))

test('as many as there are places work at once, and the others follow in order', async () => {
  const { start, end, began } = workers(name => ({ name, places: 2, isLocal: false }))
  for (const name of ['a', 'b', 'c', 'd']) start(name)
  await settled()
  expect(began).toEqual(['a', 'b'])
  await end('b')
  await settled()
  expect(began).toEqual(['a', 'b', 'c'])
  await end('a')
  await settled()
  expect(began).toEqual(['a', 'b', 'c', 'd'])
})

test('where they share what the first one reads, it goes alone until it has read it', async () => {
  const { start, warm, end, began } = workers(() => ({ name: 'local', places: 3, isLocal: true }))
  for (const name of ['a', 'b', 'c', 'd']) start(name)
  await settled()
  expect(began).toEqual(['a'])
  warm('a')
  warm('a')
  await settled()
  expect(began).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'b', 'c', 'd']) await end(name)
  // Once no worker is left, the evaluated prefix may be gone.
  for (const name of ['e', 'f']) start(name)
  await settled()
  expect(began.slice(4)).toEqual(['e'])
})

test('one that ends before it has read anything makes way for one more', async () => {
  const { start, end, began } = workers(() => ({ name: 'local', places: 3, isLocal: true }))
  for (const name of ['a', 'b', 'c']) start(name)
  await end('a')
  await settled()
  expect(began).toEqual(['a', 'b'])
})

test('another local model waits until nobody uses the first, since only one is in memory', async () => {
  const { start, end, began } = workers(() => ({ name: 'local', places: 2, isLocal: false }))
  start('a', 'loaded')
  start('b', 'loaded')
  start('c', 'other')
  start('d', 'loaded')
  await end('a')
  await settled()
  expect(began).toEqual(['a', 'b'])
  await end('b')
  await settled()
  expect(began).toEqual(['a', 'b', 'c'])
})

test('one that is stopped while it waits never begins, and holds up nobody', async () => {
  const { start, end, began } = workers(() => ({ name: 'x', places: 1, isLocal: false }))
  const stop = new AbortController()
  start('a')
  const stopped = start('b', 'm', stop.signal)
  start('c')
  stop.abort()
  expect(await stopped.over).toBeUndefined()
  await end('a')
  await settled()
  expect(began).toEqual(['a', 'c'])
  const dead = start('d', 'm', AbortSignal.abort())
  expect(await dead.over).toBeUndefined()
})
