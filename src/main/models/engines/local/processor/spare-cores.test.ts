import { expect, test } from 'vitest'
import { watchCores } from './spare-cores.ts'

test('idle cores are counted over a period in which the engine works', () => {
  let clock = 0
  let idle = 5_000
  let looks = 0
  const cores = watchCores(
    () => clock,
    () => {
      looks++
      return idle
    },
  )
  const pass = (ms: number, spare: number) => {
    clock += ms
    idle += ms * spare
    cores.watch()
  }
  expect(cores.isKnown).toBe(true)
  pass(0, 0)
  pass(100, 1.5)
  expect(cores.count()).toBeUndefined()
  pass(100, 0.5)
  expect(cores.count()).toBe(1)
  expect(cores.count()).toBeUndefined()
  // Idle time during a pause does not count; idle time before it does.
  pass(100, 0)
  cores.paused()
  pass(10_000, 2)
  expect(cores.count()).toBeUndefined()
  pass(100, 1)
  expect(cores.count()).toBe(0.5)
  // Short steps are not sampled one by one.
  const before = looks
  for (let step = 0; step < 20; step++) pass(5, 1)
  expect(looks - before).toBe(2)
})

test('this computer reports idle cores, and one without CPU times does not', () => {
  const real = watchCores()
  expect(real.isKnown).toBe(true)
  real.watch()
  expect(real.count()).toBeUndefined()
  const sandbox = watchCores(
    () => 0,
    () => 0,
  )
  expect(sandbox.isKnown).toBe(false)
})
