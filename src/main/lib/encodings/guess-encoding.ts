import { decode } from 'iconv-lite'
import { KNOWN_ENCODINGS, nameInLibrary } from './known-encodings.ts'
import { costInLanguage, weighText } from './text-cost.ts'

/** The most likely legacy encoding of bytes. `sure`: no other is close, and there is enough text. */
export type Guess = { encoding: string; sure: boolean }

/** Minimum lead of a sure guess over the next one that gives a different text, in nats. */
const SURE_LEAD = 9
const LEAST_CHARACTERS = 3
/** Maximum average cost of a character in a sure guess, in nats. */
const MOST_COST = { wide: 9.3, narrow: 8 }
const SAMPLE = 400
const LARGEST_SAMPLE = 1_200

/** Guess the encoding of bytes that are text, but not UTF-8. */
export function guessEncoding(bytes: Uint8Array): Guess {
  const sample = sampleOf(bytes)
  const byText = new Map<
    string,
    { name: string; cost: number; mean: number; isWide: boolean; count: number }
  >()
  for (const encoding of KNOWN_ENCODINGS) {
    const text = decode(sample, nameInLibrary(encoding.name))
    const weighed = weighText(text)
    const costs = encoding.languages.map(language => costInLanguage(weighed, language, encoding))
    const least = Math.min(...costs)
    const cost = least + encoding.rare
    const before = byText.get(text)
    const found = {
      name: before?.name ?? encoding.name,
      cost,
      mean: least / Math.max(1, weighed.count),
      isWide: encoding.isWide,
      count: weighed.count,
    }
    if (before === undefined || before.cost > cost) byText.set(text, found)
  }
  const [best, next] = [...byText]
    .map(([text, each]) => ({ text, ...each }))
    .toSorted((a, b) => a.cost - b.cost)
  if (best === undefined) return { encoding: 'windows-1252', sure: false }
  // A long line may be cut within a character; callers check later whether the whole file can be read.
  const isReadable = !/[\ufffd\u0080-\u009f](?!\ufffd?$)/.test(best.text) || bytes.length > SAMPLE
  const lead = next === undefined ? Infinity : next.cost - best.cost
  const sure =
    isReadable &&
    lead >= SURE_LEAD &&
    best.count >= LEAST_CHARACTERS &&
    best.mean <= (best.isWide ? MOST_COST.wide : MOST_COST.narrow)
  return { encoding: best.name, sure }
}

/** Return lines with non-ASCII bytes: the first ones, and later ones with new bytes. */
function sampleOf(bytes: Uint8Array): Buffer {
  const seen = new Set<number>()
  const lines: Uint8Array[] = []
  let size = 0
  let start = 0
  while (start < bytes.length && size < LARGEST_SAMPLE) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found + 1
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE))
    start = end
    const high = line.filter(byte => byte >= 0x80)
    if (high.length === 0 || (size >= SAMPLE && high.every(byte => seen.has(byte)))) continue
    for (const byte of high) seen.add(byte)
    lines.push(line)
    size += line.length
  }
  return Buffer.concat(lines)
}
