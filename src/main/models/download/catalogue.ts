import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Fit } from '../../../shared/contract/models/model.ts'
import type { CatalogueFile, CatalogueModel } from '../../../shared/contract/models/download.ts'
import { PACE, weightBytesPerSecond } from '../files/describe-machine.ts'
import { nameOfAddress } from './target-names.ts'

/** The figures that decide whether a model fits, the same as in its file. */
export type CatalogueFacts = {
  sizeBytes: number
  trainedTokens: number
  vocabularySize: number
  mergeCount: number
  width: number
  widest: number
  heads: number
  headSize: number
  contextBytesPerToken: number
  repackedBytes: number
}

const count = z.int().min(0)

const File = z.object({
  id: z.string().regex(/^[a-z\d.-]+$/),
  size: z.enum(['small', 'balanced', 'large']),
  quantisation: z.string().min(1),
  sizeBytes: count.min(1),
  /** The share of the weights that a processor also keeps in a rearranged copy if the file is mapped. */
  repackedShare: z.number().min(0).max(1),
  address: z.url({ protocol: /^https$/ }),
  sha256: z.string().regex(/^([0-9a-f]{64})?$/),
})

const Entry = z.object({
  id: z.string().regex(/^[a-z\d.-]+$/),
  name: z.string().min(1),
  maker: z.string().min(1),
  parameters: count,
  goodAt: z.string().min(1),
  licence: z.string().min(1),
  licenceUrl: z.url({ protocol: /^https$/ }),
  contextTokens: count,
  format: z.string(),
  vision: z.boolean(),
  /** The share of the weights used for each token; the rest are other experts. */
  activeShare: z.number().gt(0).max(1).default(1),
  /** Quality for chats with tools, relative to the other models. A model with 0 is never suggested. */
  rank: count,
  figures: z.object({
    vocabularySize: count.min(1),
    mergeCount: count,
    width: count.min(1),
    widest: count.min(1),
    heads: count.min(1),
    headSize: count.min(1),
    contextBytesPerToken: count.min(1),
  }),
  files: z.array(File).min(1),
})

/** The catalogue as stored in the resources. */
const CatalogueSource = z.object({ asOf: z.iso.date(), models: z.array(Entry).min(1) })

/** The models Talaria knows, as shown to the user on this computer. */
export type Catalogue = {
  asOf: string
  models: CatalogueModel[]
  suggested: { light: string; balanced: string; best: string }
}

/** Maximum share of memory for a suggested file. The rest is for its context and for other programs. */
const shares = { light: 0.25, balanced: 0.37, best: 0.6 }
/** Maximum size of a light file. A larger one is not light on any processor. */
const lightBytes = 5.5e9
/** Quantizations below four bits per weight. With those, models forget how to write calls. */
const tooCoarse = /^I?Q[123]_/

const beforehand = 'Estimated from the catalogue. The file itself says it exactly.'

/**
 * Read the catalogue and rate its files for this computer. `fetched` finds the model of a downloaded file.
 */
export function readCatalogue(
  path: string,
  fitOf: (facts: CatalogueFacts) => Fit,
  fetched: (id: string, name: string) => string | null,
  cores = availableParallelism(),
): Catalogue {
  const { asOf, models } = CatalogueSource.parse(JSON.parse(readFileSync(path, 'utf8')))
  const shown = models.map(({ rank, figures, files, ...model }) => ({
    rank,
    model: {
      ...model,
      files: files.map(({ repackedShare, ...file }): CatalogueFile => {
        const fit = fitOf({
          ...figures,
          sizeBytes: file.sizeBytes,
          trainedTokens: model.contextTokens,
          repackedBytes: Math.round(file.sizeBytes * repackedShare),
        })
        const modelId = fetched(file.id, nameOfAddress(file.address))
        return { ...file, fit: { ...fit, uncertain: fit.uncertain || beforehand }, modelId }
      }),
    },
  }))
  return { asOf, models: shown.map(({ model }) => model), suggested: suggest(shown, cores) }
}

/**
 * Suggest the best files within their share of memory that a processor reads fast enough. With a graphics
 * card, the balanced one is the best that fits on the card. If no file is small enough, suggest the smallest.
 */
function suggest(
  shown: readonly { rank: number; model: CatalogueModel }[],
  cores: number,
): Catalogue['suggested'] {
  const files = shown
    .filter(({ rank }) => rank > 0)
    .flatMap(({ rank, model: { activeShare, files } }) => files.map(file => ({ rank, activeShare, ...file })))
    .filter(({ quantisation }) => !tooCoarse.test(quantisation))
    .toSorted((a, b) => b.rank - a.rank || b.sizeBytes - a.sizeBytes)
  const memory = Math.max(...files.map(({ fit }) => fit?.totalBytes ?? 0))
  const smallest = files.toSorted((a, b) => a.sizeBytes - b.sizeBytes)[0]!.id
  const upTo = (bytes: number, pace: number) => {
    const readable = weightBytesPerSecond(cores) / pace
    return (
      files.find(
        ({ fit, sizeBytes, activeShare }) =>
          fit?.label !== 'too_big' &&
          sizeBytes <= bytes &&
          // A graphics card reads many times faster.
          (fit?.label === 'gpu' || sizeBytes * activeShare <= readable),
      )?.id ?? smallest
    )
  }
  const onCard = files.find(({ fit }) => fit?.label === 'gpu')?.id
  return {
    light: upTo(Math.min(memory * shares.light, lightBytes), PACE.quick),
    balanced: onCard ?? upTo(memory * shares.balanced, PACE.fair),
    best: upTo(memory * shares.best, PACE.slow),
  }
}
