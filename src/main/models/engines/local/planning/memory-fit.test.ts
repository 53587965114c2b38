import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCases } from '../../../../../../testing/count-cases.ts'
import type { Gpu } from '../../../../../shared/contract/models/model.ts'
import { fitOf } from './memory-fit.ts'
import type { FitFacts, FitRoom } from './memory-fit.ts'

const GiB = 2 ** 30
/** A model of 4 GiB whose context of 8,192 tokens takes 1 GiB. */
const facts: FitFacts = {
  sizeBytes: 4 * GiB,
  trainedTokens: 32_768,
  vocabularySize: 128_000,
  mergeCount: 280_000,
  width: 4_096,
  widest: 14_336,
  heads: 32,
  headSize: 128,
  contextBytesPerToken: GiB / 8_192,
  repackedBytes: 4 * GiB,
}
const card = (freeGiB: number, totalGiB = 24): Gpu => ({
  backend: 'cuda',
  names: ['A card'],
  totalBytes: totalGiB * GiB,
  freeBytes: freeGiB * GiB,
})
const machine = (availableGiB: number, gpu: Gpu | null = null): FitRoom => ({
  gpu,
  totalBytes: 32 * GiB,
  availableBytes: availableGiB * GiB,
  freedBytes: 0,
})
const fit = (contextTokens: number, room: FitRoom) => fitOf(facts, { contextTokens, ...room })

test('a model that fits into memory says so, with the memory left for others', () => {
  const { label, missingBytes, othersBytes, totalBytes, availableBytes, uncertain } = fit(8_192, machine(16))
  expect({ label, missingBytes, uncertain }).toEqual({ label: 'memory', missingBytes: 0, uncertain: '' })
  expect([totalBytes, othersBytes, availableBytes]).toEqual([32 * GiB, 16 * GiB, 16 * GiB])
})

test('a model that is too big shows the missing memory and the context that would fit', () => {
  const big = fit(32_768, machine(7))
  expect(big.label).toBe('too_big')
  expect(big.missingBytes).toBe(big.neededBytes - 7 * GiB)
  expect(big.mostContextTokens).toBeGreaterThan(8_192)
  expect(fit(big.mostContextTokens, machine(7)).label).toBe('memory')
  expect(fit(big.mostContextTokens + 512, machine(7)).label).toBe('too_big')
  expect(fit(8_192, machine(3))).toMatchObject({ label: 'too_big', mostContextTokens: 0 })
})

test('the parts add up to the total', () => {
  const { weightsBytes, contextBytes, buffersBytes, processBytes, neededBytes } = fit(8_192, machine(16))
  const sum = weightsBytes + contextBytes + buffersBytes + processBytes
  expect(Math.abs(sum - neededBytes)).toBeLessThanOrEqual(2)
})

test('a fit says for how many chats its figures are', () => {
  const found = (free: number, chats?: number) =>
    fitOf(facts, { contextTokens: 8_192, chats, ...machine(free) })
  expect(found(16)).toMatchObject({ chats: 2, contextBytes: 2 * GiB })
  expect(found(16, 4)).toMatchObject({ chats: 4, contextBytes: 4 * GiB })
  expect(found(16, 1)).toMatchObject({ chats: 1, contextBytes: GiB })
  const big = found(3)
  expect(big).toMatchObject({ label: 'too_big', chats: 1, contextBytes: GiB })
  const eight = fitOf(facts, { contextTokens: 8_192, contextBits: 8, ...machine(16) })
  expect(eight.contextBytes).toBe(2 * GiB * (34 / 64))
})

test('memory of a model that is unloaded first counts as available', () => {
  const tight = fit(8_192, machine(4))
  const freed = fit(8_192, { ...machine(4), freedBytes: 8 * GiB })
  expect([tight.label, freed.label]).toEqual(['too_big', 'memory'])
  expect(freed).toMatchObject({ freedBytes: 8 * GiB, availableBytes: 12 * GiB, othersBytes: 20 * GiB })
})

test('a context beyond the trained one is not counted', () => {
  expect(fit(100_000, machine(30))).toEqual(fit(32_768, machine(30)))
})

test('a close result is marked as uncertain, a clear one is not', () => {
  // For one chat.
  const { neededBytes } = fit(8_192, machine(1))
  const uncertain = (share: number) => fit(8_192, machine((neededBytes / GiB) * share)).uncertain
  expect(uncertain(1.03)).toMatch(/close call.* 10 %/)
  expect(uncertain(0.8)).toBe('')
})

test('with missing figures the fit is unknown', () => {
  for (const key of ['width', 'contextBytesPerToken', 'vocabularySize', 'sizeBytes'] as const) {
    const found = fitOf(
      { ...facts, [key]: key === 'width' ? Number.NaN : 0 },
      { ...machine(16), contextTokens: 8_192 },
    )
    expect(found).toMatchObject({ label: 'unknown', neededBytes: 0, missingBytes: 0 })
    expect(found.uncertain).toMatch(/does not say enough/)
    expect([key, found.mostContextTokens]).toEqual([key, key === 'width' ? 0 : facts.trainedTokens])
  }
})

describe('with a graphics card', () => {
  test('a model that fits the card uses the card’s memory', () => {
    const found = fit(8_192, machine(2, card(20)))
    expect(found).toMatchObject({ label: 'gpu', totalBytes: 24 * GiB, othersBytes: 4 * GiB, missingBytes: 0 })
    // Two parallel chats.
    expect(found.contextBytes).toBe(2 * GiB)
  })

  test('a model that does not fit the card alone also uses main memory', () => {
    expect(fit(8_192, machine(16, card(3))).label).toBe('memory')
    expect(fit(8_192, machine(4, card(3)))).toMatchObject({ label: 'memory', totalBytes: 56 * GiB })
    expect(fit(8_192, machine(2, card(2))).label).toBe('too_big')
  })

  test('a card that shares the computer’s memory adds none', () => {
    const sharing: Gpu = { ...card(3), backend: 'metal' }
    expect(fit(8_192, machine(4, sharing))).toMatchObject({ label: 'too_big', totalBytes: 32 * GiB })
  })
})

test('more context never needs less memory, and the largest fitting context fits', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 64 }))
  const { met, atLeast } = countCases<'too big' | 'fits' | 'nothing fits'>()
  fc.assert(
    fc.property(size, fc.integer({ min: 512, max: 32_768 }), fc.option(size), (free, tokens, vram) => {
      const room = machine(free, vram === null ? null : card(vram, 64))
      const found = fit(tokens, room)
      expect(Object.values(found).every(value => typeof value === 'string' || Number.isFinite(value))).toBe(
        true,
      )
      met(found.mostContextTokens === 0 ? 'nothing fits' : found.label === 'too_big' ? 'too big' : 'fits')
      if (found.mostContextTokens > 0) expect(fit(found.mostContextTokens, room).label).not.toBe('too_big')
      if (found.label === 'too_big') expect(found.mostContextTokens).toBeLessThan(tokens)
      else expect(found.mostContextTokens).toBeGreaterThanOrEqual(Math.floor(tokens / 256) * 256)
    }),
    { numRuns: 300 },
  )
  atLeast({ 'too big': 8, fits: 100, 'nothing fits': 25 })
})
