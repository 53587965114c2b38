import { describe, expect, test } from 'vitest'
import type { Gpu, ModelOptions } from '../../../../../shared/contract/models/model.ts'
import { isFailure } from '../../../interface/engine.ts'
import type { EngineFailure } from '../../../interface/engine.ts'
import { gpuBatchTokens } from './memory-fit.ts'
import type { GgufFacts } from '../gguf/read-gguf.ts'
import { fixesAfter, planLoad, requestFor } from './plan-load.ts'
import type { EngineSettings, LoadPlan } from './plan-load.ts'
import { batchTokens } from '../process/protocol.ts'

const GiB = 2 ** 30
/** A model of 4 GiB whose context of 8,192 tokens takes 1 GiB. */
const facts: GgufFacts = {
  path: '/models/a.gguf',
  sizeBytes: 4 * GiB,
  architecture: 'llama',
  name: 'A',
  parameters: 7e9,
  parts: 1,
  layers: 32,
  quantisation: 'Q4_K_M',
  bitsPerWeight: 5,
  licence: '',
  trainedTokens: 32_768,
  vocabularySize: 128_000,
  lines: new Set<string>(),
  mergeCount: 280_000,
  width: 4_096,
  widest: 14_336,
  heads: 32,
  headSize: 128,
  contextBytesPerToken: GiB / 8_192,
  repackedBytes: 0,
  chatTemplate: undefined,
  sampling: { temperature: 0.6 },
}
const settings: EngineSettings = {
  context_tokens: 8_192,
  threads: 'auto',
  hosting: 'process',
  gpu: 'auto',
  state_cache_gib: 2,
  idle_unload_minutes: 15,
}
const card = (freeGiB: number): Gpu => ({
  backend: 'cuda',
  names: ['A card'],
  totalBytes: 24 * GiB,
  freeBytes: freeGiB * GiB,
})
type Asked = { free: number; options?: ModelOptions; anyway?: boolean; card?: Gpu | null }
const plan = ({ free, options = {}, anyway = false, card = null }: Asked) =>
  planLoad(facts, { settings, options, anyway, card, availableBytes: free * GiB })
const planned = (asked: Asked): LoadPlan => {
  const result = plan(asked)
  if (isFailure(result)) throw new Error(result.text)
  return result
}

test('a model gets its own context if set, or else the one from the settings', () => {
  expect(planned({ free: 30 }).contextTokens).toBe(8_192)
  expect(planned({ free: 30, options: { contextTokens: 16_384 } }).contextTokens).toBe(16_384)
  expect(planned({ free: 30, options: { contextTokens: 100_000 } }).contextTokens).toBe(32_768)
})

test('a context that does not fit is reduced, with a notice', () => {
  const { contextTokens, notice } = planned({ free: 5.1 })
  expect(contextTokens).toBeLessThan(8_192)
  expect(notice).toMatch(/instead of 8,192/)
})

test('a model that does not fit comes with fixes, and the suggested small context fits', () => {
  const tight = plan({ free: 4.5 })
  if (!isFailure(tight)) throw new Error('It fits')
  expect(tight).toMatchObject({
    code: 'out_of_memory',
    fixes: [{ do: 'context' }, { do: 'smaller' }, { do: 'anyway' }],
  })
  const [first] = tight.fixes
  const tokens = first?.do === 'context' ? first.tokens : 0
  expect(planned({ free: 4.5, options: { contextTokens: tokens } }).contextTokens).toBe(tokens)
  expect(plan({ free: 2 })).toMatchObject({ fixes: [{ do: 'smaller' }, { do: 'anyway' }] })
})

test('two chats are held at once, more or fewer where the person has set it, and as many as fit', () => {
  const chats = (free: number, set?: number) => {
    const { sequences, notice } = planned({ free, options: set === undefined ? {} : { chats: set } })
    return [sequences, notice]
  }
  expect(chats(400)).toEqual([2, null])
  expect(chats(6)).toEqual([1, null])
  expect(chats(400, 5)).toEqual([5, null])
  expect(chats(400, 1)).toEqual([1, null])
  expect(chats(10, 5)).toEqual([3, expect.stringMatching(/^A holds 3 chats at once instead of 5/)])
  expect(chats(5.7, 2)).toEqual([1, expect.stringMatching(/^A holds one chat at once instead of 2/)])
})

test('a context of eight bits takes about half the memory, and is told to the engine', () => {
  const eight = { contextBits: 8 } as const
  const [half, whole] = [planned({ free: 16, options: eight }), planned({ free: 16 })]
  expect([half.contextBits, whole.contextBits]).toEqual([8, undefined])
  // Relative to the two GiB of two chats.
  expect((whole.takes.memory - half.takes.memory) / (2 * GiB)).toBeCloseTo(0.47, 2)
  const asked = { settings, options: eight, gpu: 'off', states: undefined } as const
  expect(requestFor(facts, half, asked).contextBits).toBe(8)
  expect(planned({ free: 0.1, anyway: true, options: eight }).contextBits).toBe(8)
  expect(planned({ free: 2, card: card(20), options: eight }).contextBits).toBe(8)
  // A longer context fits.
  expect(planned({ free: 5, options: eight }).contextTokens).toBeGreaterThan(
    planned({ free: 5 }).contextTokens,
  )
})

test('a model whose heads do not suit eight bits stays at sixteen, and says so', () => {
  for (const headSize of [0, 32, 80]) {
    const odd = planLoad(
      { ...facts, headSize },
      { settings, options: { contextBits: 8 }, anyway: false, card: null, availableBytes: 16 * GiB },
    )
    expect(odd).toMatchObject({ notice: expect.stringMatching(/^A holds its chats in 16 bits/) })
    expect(odd).not.toHaveProperty('contextBits')
  }
})

test('“anyway” always gives a plan with the requested context', () => {
  expect(planned({ free: 0.1, anyway: true })).toMatchObject({
    contextTokens: 8_192,
    sequences: 1,
    force: true,
    mapFile: true,
  })
  expect(planned({ free: 0.1, anyway: true, card: card(0.1) })).toMatchObject({ onCard: true, force: true })
})

describe('with a graphics card', () => {
  test('a model that fits the card is put there with all its layers', () => {
    const { gpuLayers, ...rest } = planned({ free: 2, card: card(20) })
    expect(gpuLayers).toBeGreaterThan(facts.layers)
    expect(rest).toMatchObject({ onCard: true, sequences: 2, notice: null })
    expect(rest.takes.card).toBeGreaterThan(4 * GiB)
    expect(rest.takes.memory).toBeLessThan(0.5 * GiB)
    const more = (free: number) => planned({ free: 2, card: card(free), options: { chats: 6 } })
    expect(more(20)).toMatchObject({ sequences: 6, notice: null })
    // It stays on the card, with fewer chats.
    expect(more(9)).toMatchObject({ gpuLayers, sequences: 3 })
    expect(more(9).notice).toMatch(/3 chats at once instead of 6/)
  })

  test('for a model that fits the card in part the library chooses the number of layers', () => {
    expect(planned({ free: 16, card: card(3) })).toMatchObject({
      onCard: true,
      gpuLayers: undefined,
      sequences: 1,
    })
    expect(planned({ free: 16, card: card(3), options: { gpuLayers: 10 } })).toMatchObject({ gpuLayers: 10 })
  })

  test('a failure on the card offers fewer layers, less context or no card', () => {
    const failure: EngineFailure = { code: 'out_of_memory', text: 'Full.', fix: '' }
    const given = planned({ free: 16, card: card(20) })
    expect(fixesAfter(failure, given, facts)).toEqual([
      { do: 'layers', gpuLayers: 24 },
      { do: 'context', tokens: 4_096 },
      { do: 'cpu' },
      { do: 'smaller' },
      { do: 'again' },
    ])
    const damaged: EngineFailure = { code: 'model_unreadable', text: 'Damaged.', fix: '' }
    expect(fixesAfter(damaged, given, facts)).toEqual([{ do: 'cpu' }, { do: 'again' }])
  })
})

test('without a card the fix “no card” is not offered', () => {
  const failure: EngineFailure = { code: 'out_of_memory', text: 'Full.', fix: '' }
  const fixes = fixesAfter(failure, planned({ free: 16 }), facts)
  expect(fixes).toEqual([{ do: 'context', tokens: 4_096 }, { do: 'smaller' }, { do: 'again' }])
})

test('a small model has a mild repeat penalty, unless its makers say otherwise; the built-in one has none', () => {
  const samplingOf = (given: Partial<GgufFacts>) =>
    requestFor({ ...facts, ...given }, planned({ free: 30 }), {
      settings,
      options: {},
      gpu: 'off',
      states: undefined,
    }).sampling
  const small = { parameters: 135e6, sampling: {} }
  expect(samplingOf(small)).toEqual({ repeatPenalty: 1.1 })
  expect(samplingOf({ ...small, sampling: { repeatPenalty: 1 } })).toEqual({ repeatPenalty: 1 })
  expect(samplingOf({ parameters: 4e9, sampling: {} })).toEqual({})
  expect(samplingOf({ ...small, name: 'talaria-mini' })).toEqual({ temperature: 0 })
})

test('a model’s own options override the general settings', () => {
  const request = (options: ModelOptions, onCard = false) =>
    requestFor(facts, planned({ free: 30, options, card: onCard ? card(20) : null }), {
      settings: { ...settings, threads: 4 },
      options,
      gpu: onCard ? 'auto' : 'off',
      states: undefined,
    })
  expect(request({})).toMatchObject({
    threads: 4,
    batch: batchTokens,
    gpu: 'off',
    sampling: { temperature: 0.6 },
  })
  expect(request({ threads: 2, batchTokens: 64 })).toMatchObject({ threads: 2, batch: 64 })
  expect(request({}, true)).toMatchObject({ batch: gpuBatchTokens, gpu: 'auto' })
})
