import { expect, test } from 'vitest'
import { createFairLock } from './fair-lock.ts'

const never = new AbortController().signal

test('turns are taken one at a time, in the order of coming', async () => {
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

test('whoever gives up waiting leaves the line to the others', async () => {
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
