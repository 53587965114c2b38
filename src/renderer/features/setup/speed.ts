import type { CatalogueFile, CatalogueModel } from '../../../shared/contract/transfers.ts'

/** Bytes a second that weights can be read with: less than most computers manage, and more than all but a few do. */
const PROCESSOR = { eachCore: 4e9, low: 12e9, high: 50e9 }
const GRAPHICS = { low: 150e9, high: 700e9 }
const WORDS_PER_TOKEN = 0.75

/**
 * How many words a second a model will write, from the bytes that are read for each word: a wide guess, made before anybody
 * has measured. Null where not even that can be told.
 */
export function expectedSpeed(
  { name }: Pick<CatalogueModel, 'name'>,
  { sizeBytes, fit, quantisation }: Pick<CatalogueFile, 'sizeBytes' | 'fit' | 'quantisation'>,
  cores: number,
): { low: number; high: number } | null {
  // Files of this kind are made of experts of which only some work at a time; how many, their names do not say.
  if (quantisation === 'MXFP4' || !(sizeBytes > 0)) return null
  const perToken = sizeBytes * activeShare(name)
  const words = (bytesPerSecond: number) =>
    Math.max(1, Math.round((bytesPerSecond / perToken) * WORDS_PER_TOKEN))
  if (fit?.label === 'gpu') return { low: words(GRAPHICS.low), high: words(GRAPHICS.high) }
  if (fit?.label !== 'memory') return null
  const most = Math.max(1, cores) * PROCESSOR.eachCore
  return { low: words(Math.min(PROCESSOR.low, most)), high: words(Math.min(PROCESSOR.high, most * 2.5)) }
}

/** `30B A3B`: of thirty, three work at a time. */
function activeShare(name: string): number {
  const [, all, active] = /(\d+(?:\.\d+)?)B[ -]A(\d+(?:\.\d+)?)B/.exec(name) ?? []
  return all && active ? Number(active) / Number(all) : 1
}
