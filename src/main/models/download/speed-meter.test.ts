import { expect, test } from 'vitest'
import { createSpeedMeter } from './speed-meter.ts'

/** A meter, and a clock that is set by hand. */
function aMeter() {
  let at = 1_000
  const meter = createSpeedMeter(() => at)
  return { meter, later: (ms: number) => void (at += ms) }
}

test('the speed is that of the last seconds, once there is enough data', () => {
  const { meter, later } = aMeter()
  meter.note(0)
  later(500)
  meter.note(500)
  expect(meter.rate()).toBe(null)
  for (let second = 1; second <= 20; second++) {
    later(1_000)
    meter.note(500 + second * 1_000)
  }
  expect(meter.rate()).toBeCloseTo(1_000)
  for (let second = 1; second <= 20; second++) {
    later(1_000)
    meter.note(20_500 + second * 4_000)
  }
  expect(meter.rate()).toBeCloseTo(4_000)
})

test('many small chunks count like a few large ones', () => {
  const { meter, later } = aMeter()
  for (let piece = 0; piece <= 3_000; piece++) {
    meter.note(piece * 10)
    later(1)
  }
  expect(meter.rate()).toBeGreaterThan(9_500)
  expect(meter.rate()).toBeLessThan(10_500)
})

test('a stalled transfer slows down, and a restarted one is measured from zero', () => {
  const { meter, later } = aMeter()
  meter.note(0)
  later(1_000)
  meter.note(10_000)
  later(9_000)
  expect(meter.rate()).toBeCloseTo(1_000)
  meter.note(0)
  expect(meter.rate()).toBe(null)
})
