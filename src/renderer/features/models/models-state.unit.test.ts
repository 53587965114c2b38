import { expect, test } from 'vitest'
import { aFit, aTransfer } from '../../test/a-computer.ts'
import {
  barOf,
  comingFrom,
  contextSteps,
  modelsTab,
  orderTransfers,
  parametersText,
  toneOf,
} from './models-state.ts'

const GB = 1_000_000_000
const gpu = { backend: 'vulkan' as const, names: ['Radeon'], totalBytes: 8 * GB, freeBytes: 8 * GB }

test('the segments of the bar add up to the memory', () => {
  const { stretches, wholeBytes, limitBytes } = barOf(aFit(4 * GB, 8_192))
  expect(limitBytes).toBe(16 * GB)
  expect(wholeBytes).toBe(16 * GB)
  expect(stretches.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(16 * GB)
  expect(stretches.map(({ part }) => part)).toEqual(['others', 'weights', 'context', 'buffers', 'free'])
})

test('the bar of a model that is too big extends beyond the memory', () => {
  const { stretches, wholeBytes, limitBytes } = barOf(aFit(20 * GB, 8_192))
  expect(wholeBytes).toBeGreaterThan(limitBytes)
  expect(stretches.at(-1)).toEqual({ part: 'free', bytes: 0 })
})

test('figures that are not numbers are left out of the bar', () => {
  const { stretches, wholeBytes } = barOf(aFit(4 * GB, 8_192, { contextBytes: Number.NaN }))
  expect(stretches.every(({ bytes }) => Number.isFinite(bytes))).toBe(true)
  expect(wholeBytes).toBe(16 * GB)
})

test('running in main memory is good only without a graphics card', () => {
  expect(toneOf(aFit(4 * GB, 8_192), null)).toBe('good')
  expect(toneOf(aFit(4 * GB, 8_192), gpu)).toBe('warn')
  expect(toneOf(aFit(4 * GB, 8_192, { label: 'gpu' }), gpu)).toBe('good')
  expect(toneOf(aFit(40 * GB, 8_192), gpu)).toBe('bad')
  expect(toneOf(aFit(4 * GB, 8_192, { label: 'unknown' }), null)).toBe('unsure')
})

test('context steps go up to the model’s maximum and include the current setting', () => {
  expect(contextSteps(8_192)).toEqual([1_024, 2_048, 4_096, 6_144, 8_192])
  expect(contextSteps(8_192, 5_000, null, 200, 99_999)).toEqual([1_024, 2_048, 4_096, 5_000, 6_144, 8_192])
  expect(contextSteps(0).at(-1)).toBe(131_072)
  expect(contextSteps(600)).toEqual([600])
})

test('finished downloads come last and do not count as in progress', () => {
  const old = aTransfer({ id: 'old', startedAt: 1 })
  const done = aTransfer({ id: 'done', startedAt: 3, state: 'done', from: 'a' })
  const fresh = aTransfer({ id: 'fresh', startedAt: 2, state: 'failed', from: 'b' })
  expect(orderTransfers([done, old, fresh]).map(({ id }) => id)).toEqual(['fresh', 'old', 'done'])
  expect(comingFrom([done, fresh], 'a')).toBeUndefined()
  expect(comingFrom([done, fresh], 'b')?.id).toBe('fresh')
})

test('parameter counts are written as model makers do', () => {
  expect([270e6, 1.24e9, 8.03e9, 70.6e9].map(parametersText)).toEqual(['270M', '1.2B', '8B', '71B'])
})

test('only existing tabs can be named in the address', () => {
  expect(modelsTab('downloads')).toBe('downloads')
  expect(modelsTab('history')).toBeUndefined()
  expect(modelsTab(null)).toBeUndefined()
})
