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
  { activeShare }: Pick<CatalogueModel, 'activeShare'>,
  { sizeBytes, fit }: Pick<CatalogueFile, 'sizeBytes' | 'fit'>,
  cores: number,
): { low: number; high: number } | null {
  if (!(sizeBytes > 0)) return null
  const perToken = sizeBytes * activeShare
  const words = (bytesPerSecond: number) =>
    Math.max(1, Math.round((bytesPerSecond / perToken) * WORDS_PER_TOKEN))
  if (fit?.label === 'gpu') return { low: words(GRAPHICS.low), high: words(GRAPHICS.high) }
  if (fit?.label !== 'memory') return null
  const most = Math.max(1, cores) * PROCESSOR.eachCore
  return { low: words(Math.min(PROCESSOR.low, most)), high: words(Math.min(PROCESSOR.high, most * 2.5)) }
}
