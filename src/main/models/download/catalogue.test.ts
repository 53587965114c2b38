import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CatalogueModel } from '../../../shared/contract/models/download.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { formats } from '../formats/format-table.ts'
import { fitOf, type FitFacts } from '../engines/local/planning/memory-fit.ts'
import { readCatalogue, type CatalogueFacts } from './catalogue.ts'
import { aFolder, aServer, model, open, reached } from '../../../../testing/models/downloads.ts'

const path = resourcePath('catalogue.json')
const source = z
  .object({
    asOf: z.string(),
    models: z.array(
      z.looseObject({
        id: z.string(),
        format: z.string(),
        parameters: z.number(),
        files: z.array(
          z.looseObject({
            id: z.string(),
            size: z.string(),
            quantisation: z.string(),
            sizeBytes: z.number(),
            address: z.string(),
          }),
        ),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(path, 'utf8')))

/** The fit of models on a computer with this many GiB, a quarter of them in use. */
const computer = (gib: number) => (facts: CatalogueFacts & FitFacts) =>
  fitOf(facts, {
    contextTokens: 8_192,
    gpu: null,
    totalBytes: gib * 2 ** 30,
    availableBytes: gib * 0.75 * 2 ** 30,
    freedBytes: 0,
  })

test('the catalogue has about twelve models in up to three sizes, from light to heavy', () => {
  expect(source.models.length).toBeGreaterThanOrEqual(12)
  for (const { id, files } of source.models) {
    const sizes = files.map(file => file.size)
    expect([id, sizes]).toEqual([id, files.length === 1 ? ['balanced'] : ['small', 'balanced', 'large']])
    expect(files.map(file => file.sizeBytes)).toEqual(
      files.map(file => file.sizeBytes).toSorted((a, b) => a - b),
    )
  }
  const ids = source.models.flatMap(({ id, files }) => [id, ...files.map(file => file.id)])
  expect(new Set(ids).size).toBe(ids.length)
  const addresses = source.models.flatMap(({ files }) => files.map(file => file.address))
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('every model names a tool-call format that is supported here', () => {
  const known = Object.keys(formats)
  for (const { id, format } of source.models)
    expect([id, known]).toEqual([id, expect.arrayContaining([format])])
})

test('a file’s size matches its parameters and quantisation', () => {
  const bits: Record<string, [least: number, most: number]> = {
    Q3_K_M: [3.6, 4.2],
    Q4_K_M: [4.6, 5.4],
    Q6_K: [6.3, 6.8],
    Q8_0: [7.5, 8.7],
    MXFP4: [4.2, 4.8],
  }
  for (const { parameters, files } of source.models)
    for (const { id, quantisation, sizeBytes } of files) {
      const [least, most] = bits[quantisation]!
      const each = (sizeBytes * 8) / parameters
      expect({ id, each, fits: each > least && each < most }).toEqual({ id, each, fits: true })
    }
})

test('the listed models fit the contract, with an estimate marked as such', () => {
  const { asOf, models } = readCatalogue(path, computer(16), () => null)
  expect(asOf).toMatch(/^\d{4}-\d\d-\d\d$/)
  for (const each of models) {
    expect(CatalogueModel.strict().parse(each)).toEqual(each)
    for (const { fit } of each.files) {
      expect(fit!.label).not.toBe('unknown')
      expect(fit!.uncertain).not.toBe('')
    }
  }
})

test.each([
  [4, 'qwen3-0.6b-q8-0', 'qwen3-0.6b-q8-0', 'qwen3-0.6b-q8-0'],
  [8, 'llama-3.2-3b-q4-k-m', 'qwen3-4b-2507-q4-k-m', 'qwen3-4b-2507-q8-0'],
  [16, 'qwen3-4b-2507-q8-0', 'qwen3-8b-q4-k-m', 'qwen3-14b-q4-k-m'],
  [32, 'qwen3-8b-q4-k-m', 'gpt-oss-20b-mxfp4', 'qwen3-30b-a3b-2507-q4-k-m'],
])(
  'on a computer with %i GiB there are a light, a balanced and a best suggestion',
  (gib, light, balanced, best) => {
    const { suggested, models } = readCatalogue(path, computer(gib), () => null, 16)
    expect(suggested).toEqual({ light, balanced, best })
    const files = new Map(models.flatMap(each => each.files.map(file => [file.id, file])))
    for (const id of Object.values(suggested)) expect(files.get(id)!.fit!.label).toBe('memory')
  },
)

test('with few cores, models that it can read fast enough are suggested', () => {
  const { suggested } = readCatalogue(path, computer(24), () => null, 2)
  expect(suggested).toEqual({
    light: 'qwen3-0.6b-q8-0',
    balanced: 'llama-3.2-3b-q4-k-m',
    // Only some of its experts work at a time.
    best: 'gpt-oss-20b-mxfp4',
  })
})

test('with a graphics card, the balanced suggestion is the best that fits it', () => {
  const gpu = {
    backend: 'vulkan' as const,
    names: ['card'],
    totalBytes: 12 * 2 ** 30,
    freeBytes: 11 * 2 ** 30,
  }
  const fit = (facts: FitFacts) =>
    fitOf(facts, { contextTokens: 8_192, gpu, totalBytes: 2 ** 35, availableBytes: 2 ** 34, freedBytes: 0 })
  expect(readCatalogue(path, fit, () => null).suggested.balanced).toBe('qwen3-8b-q6-k')
})

/** A catalogue with one file, served by this computer. */
async function aCatalogue() {
  const server = await aServer()
  server.put('/repo/m.gguf', model)
  const [first] = source.models
  // Only HTTPS addresses are accepted, so this one is redirected by the test.
  const files = [{ ...first!.files[0]!, address: 'https://models.example/repo/m.gguf' }]
  const cataloguePath = join(aFolder(), 'catalogue.json')
  writeFileSync(cataloguePath, JSON.stringify({ asOf: source.asOf, models: [{ ...first!, files }] }))
  const fetchFor = () => (_url: unknown, init?: RequestInit) =>
    fetch(new URL('/repo/m.gguf', server.origin), init)
  return { cataloguePath, fetchFor, id: files[0]!.id }
}

test('a catalogue entry is downloaded by its id, once', async () => {
  const { cataloguePath, fetchFor, id } = await aCatalogue()
  const known: { id: string; path: string }[] = []
  const home = open(aFolder(), { cataloguePath, fetchFor, known: async () => known })
  const transfer = await home.download({ catalogueId: id })
  expect(transfer).toMatchObject({ name: 'm.gguf', from: 'https://models.example/repo/m.gguf' })
  await reached(home, transfer.id, 'done')
  expect((await home.catalogue()).models[0]!.files[0]!.modelId).toBe(null)
  known.push({ id: `file:${join(home.folder, 'm.gguf')}`, path: join(home.folder, 'm.gguf') })
  expect((await home.catalogue()).models[0]!.files[0]!.modelId).toBe(known[0]!.id)
  await expect(home.download({ catalogueId: id })).rejects.toMatchObject({ code: 'conflict' })
  await expect(home.download({ catalogueId: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
})
