import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../../../testing/count-cases.ts'
import { isFailure } from '../../../interface/engine.ts'
import type { GgufFacts } from '../gguf/read-gguf.ts'
import { estimateMemory, planMemory } from './memory-plan.ts'

const GiB = 2 ** 30
/** A model of 2 GiB whose context of 8,192 tokens takes 1 GiB. */
const facts: GgufFacts = {
  path: '/models/a.gguf',
  sizeBytes: 2 * GiB,
  architecture: 'llama',
  name: 'A',
  parameters: 3e9,
  parts: 1,
  layers: 32,
  quantisation: 'Q4_K_M',
  bitsPerWeight: 5,
  licence: '',
  trainedTokens: 8_192,
  vocabularySize: 100_000,
  lines: new Set<string>(),
  mergeCount: 100_000,
  width: 2_048,
  widest: 8_192,
  heads: 16,
  headSize: 128,
  contextBytesPerToken: GiB / 8_192,
  repackedBytes: 0,
  chatTemplate: undefined,
  sampling: {},
}
/** The same model with weights that a processor copies. */
const repacked = { ...facts, repackedBytes: 1.5 * GiB }
const use = { contextTokens: 8_192, sequences: 1, mapFile: false }

test('an estimate is the sum of its parts', () => {
  const { total, weights, context, buffers, process } = estimateMemory(facts, { ...use, sequences: 2 })
  expect({ weights, context }).toEqual({ weights: 2 * GiB, context: 2 * GiB })
  expect(total).toBe(weights + context + buffers + process)
  expect(buffers + process).toBeLessThan(0.4 * GiB)
})

test('a mapped file stays in memory beside the repacked copy of its weights', () => {
  expect(estimateMemory(repacked, { ...use, mapFile: true }).weights).toBe(3.5 * GiB)
  expect(estimateMemory(repacked, use).weights).toBe(2 * GiB)
  expect(estimateMemory(facts, { ...use, mapFile: true }).weights).toBe(2 * GiB)
})

test('without tiling, the scores of all heads are in memory at once', () => {
  const buffers = (headSize: number) => estimateMemory({ ...facts, headSize }, use).buffers
  expect(buffers(32) - buffers(128)).toBeGreaterThan(12 * 256 * 8_192 * 4)
})

test.for([
  [40, { contextTokens: 8_192, sequences: 2, mapFile: false }],
  [5.6, { contextTokens: 8_192, sequences: 2, mapFile: false }],
  [4.1, { contextTokens: 8_192, sequences: 1, mapFile: false }],
  [3.5, { contextTokens: 8_192, sequences: 1, mapFile: true }],
  [2.8, { contextTokens: 4_096, sequences: 1, mapFile: true }],
  [2.6, { contextTokens: 2_048, sequences: 1, mapFile: true }],
] as const)('with %d GiB free the plan is %j', ([free, plan]) => {
  expect(planMemory(facts, { contextTokens: 8_192 }, free * GiB)).toMatchObject(plan)
})

test('a file whose weights are copied anyway is not mapped, even if memory is short', () => {
  expect(planMemory(repacked, { contextTokens: 8_192 }, 3.5 * GiB)).toMatchObject({
    sequences: 1,
    mapFile: false,
  })
})

test('a reduced context is reported with both sizes and the reason', () => {
  expect(planMemory(facts, { contextTokens: 8_192 }, 2.8 * GiB)).toMatchObject({
    notice:
      'A holds 4,096 tokens of a chat instead of 8,192, because more does not fit into the memory that was free ' +
      '(3 GB). Close other programs and load it again for more.',
  })
  expect(planMemory(facts, { contextTokens: 8_192 }, 4 * GiB)).toMatchObject({ notice: null })
})

test('a model that does not fit even with a small context is refused with both numbers and a fix', () => {
  expect(planMemory(facts, { contextTokens: 8_192 }, 2.4 * GiB)).toEqual({
    code: 'out_of_memory',
    text: '/models/a.gguf needs about 2.7 GB of memory, but only 2.6 GB are free.',
    fix: 'Close other programs, or choose a smaller model.',
  })
})

test('a small context is not reduced further, only refused', () => {
  expect(planMemory(facts, { contextTokens: 1_000 }, 2.6 * GiB)).toMatchObject({
    contextTokens: 1_000,
    notice: null,
  })
  expect(planMemory(facts, { contextTokens: 1_000 }, 2.3 * GiB)).toMatchObject({ code: 'out_of_memory' })
})

test('for any request and free memory the plan fits, and a larger context would not', () => {
  const { met, atLeast } = countCases<'refused' | 'as wished' | 'smaller'>()
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      // In steps, because most random floats are close to zero.
      fc
        .oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 2_000, max: 8_000 }))
        .map(thousandths => thousandths / 1_000),
      fc.constantFrom(facts, repacked, { ...facts, headSize: 32 }),
      (wish, free, facts) => {
        const plan = planMemory(facts, { contextTokens: wish }, free * GiB)
        if (isFailure(plan)) {
          met('refused')
          const smallest = { ...use, contextTokens: Math.min(wish, 2_048) }
          expect(estimateMemory(facts, smallest).total).toBeGreaterThan(free * GiB)
          return
        }
        expect(plan.estimate).toEqual(estimateMemory(facts, plan))
        expect(plan.estimate.total).toBeLessThanOrEqual(free * GiB)
        const larger = Math.min(wish, (Math.floor(plan.contextTokens / 1_024) + 1) * 1_024)
        met(plan.contextTokens === wish ? 'as wished' : 'smaller')
        if (plan.contextTokens === wish) return
        expect(estimateMemory(facts, { ...use, contextTokens: larger }).total).toBeGreaterThan(free * GiB)
      },
    ),
    { numRuns: 300 },
  )
  atLeast({ refused: 25, 'as wished': 70, smaller: 30 })
})
