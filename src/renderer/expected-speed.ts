import type { CatalogueFile, CatalogueModel } from '../shared/contract/models/download.ts'

/** Memory bandwidth for weights, in bytes per second: a low bound for most computers and a high bound. */
const PROCESSOR = { eachCore: 4e9, low: 12e9, high: 50e9 }

const GRAPHICS = { low: 150e9, high: 700e9 }

const WORDS_PER_TOKEN = 0.75

/**
 * A rough range of words per second, estimated from the bytes read for each word before any measurement. Null
 * if it cannot be estimated.
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
