import { expect, test } from 'vitest'
import type { GgufFacts } from './gguf-file.ts'
import { planMemory } from './memory-plan.ts'

const GiB = 2 ** 30
/** A model of 2 GiB whose context of 8,192 tokens takes 1 GiB. */
const facts: GgufFacts = {
  path: '/models/a.gguf',
  sizeBytes: 2 * GiB,
  architecture: 'llama',
  name: 'A',
  parameters: 3e9,
  trainedTokens: 8_192,
  vocabularySize: 100_000,
  headSize: 128,
  contextBytesPerToken: GiB / 8_192,
  chatTemplate: undefined,
  sampling: {},
}

test.for([
  [8, { sequences: 2, mapFile: false }],
  [4.5, { sequences: 2, mapFile: true }],
  [4, { sequences: 1, mapFile: true }],
] as const)('with %d GiB free the plan is %j', ([free, plan]) => {
  expect(planMemory(facts, 8_192, free * GiB)).toEqual(plan)
})

test('a model that does not fit is refused with both numbers and a way out', () => {
  expect(planMemory(facts, 8_192, 3 * GiB)).toEqual({
    code: 'out_of_memory',
    text: '/models/a.gguf needs about 3.2 GiB of memory, and 3.0 GiB are free.',
    fix: 'Close other programs, choose a smaller model, or lower the context size in the settings.',
  })
})
