import { beforeEach, expect, test, vi } from 'vitest'
import { powerMonitor, resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { createKeepAwake } from './keep-awake.ts'

beforeEach(resetShim)

test('the computer stays awake until the last of those that need it is done', () => {
  const keepAwake = createKeepAwake(() => true)
  const [first, second] = [keepAwake(), keepAwake()]
  first()
  first()
  const between = state.awake.size
  second()
  expect([between, state.awake.size, state.awakeStarts]).toEqual([1, 0, 1])
})

test('on battery it may sleep, and power that comes or goes meanwhile counts at once', () => {
  let isOnMains = false
  const keepAwake = createKeepAwake(() => isOnMains)
  const done = keepAwake()
  const seen = [state.awake.size]
  for (const [event, mains] of [
    ['on-ac', true],
    ['on-battery', false],
    ['on-ac', true],
  ] as const) {
    isOnMains = mains
    powerMonitor.emit(event)
    seen.push(state.awake.size)
  }
  done()
  expect([seen, state.awake.size]).toEqual([[0, 1, 0, 1], 0])
  powerMonitor.emit('on-ac')
  expect(state.awake.size).toBe(0)
})

test('where no event tells of the power, it is looked at while something runs', () => {
  vi.useFakeTimers()
  let isOnMains = true
  const done = createKeepAwake(() => isOnMains)()
  isOnMains = false
  vi.advanceTimersByTime(60_000)
  const unplugged = state.awake.size
  done()
  const timers = vi.getTimerCount()
  vi.useRealTimers()
  expect([unplugged, timers]).toEqual([0, 0])
})
