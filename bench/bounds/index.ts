import { median, round } from '../measure.ts'
import type { Measured } from '../run-parts.ts'
import { PARSERS, type Parser } from './parsers.ts'
import { SHAPES, type Shape } from './shapes.ts'

const LENGTHS = [50_000, 100_000, 200_000]
/** A doubling of the text that takes so much longer grows faster than the text, noise aside. */
const MOST_GROWTH = 2.6
/** Shorter times say nothing about growth, in ms of processor time. */
const LEAST_MS = 40
/** What may take so long stands in a thread, in ms of processor time. */
const MOST_MS = 500
const ROUNDS = 3

/**
 * How long each parser takes for each shape of text, in processor time: at 50, 100 and 200 thousand letters as far as it is given
 * as many, and at the longest text that it is given. Names those that grow faster than their text, or hold their process too long.
 */
export async function benchBounds(): Promise<Measured> {
  let worst = { what: '', ms: 0 }
  let over = 0
  for (const parser of PARSERS)
    for (const [shape, make] of Object.entries(SHAPES)) {
      const { ms, growth } = measure(parser, make)
      const what = `${parser.what}, ${shape}`
      if (ms > worst.ms) worst = { what, ms }
      if (ms <= MOST_MS && growth <= MOST_GROWTH) continue
      over++
      console.error(`${what}: ${round(ms)} ms, ${round(growth)} times a doubling`)
    }
  return {
    bounds_parsers: PARSERS.length,
    bounds_shapes: Object.keys(SHAPES).length,
    bounds_over: over,
    bounds_worst_ms: round(worst.ms),
    bounds_worst: worst.what,
  }
}

/** The time for the longest text, and how much longer the worst doubling took. */
function measure({ most, read }: Parser, make: Shape): { ms: number; growth: number } {
  const lengths = [...LENGTHS.filter(length => length < most), most]
  let growth = 0
  let before: { length: number; ms: number } | undefined
  for (const length of lengths) {
    const ms = timeOf(read, make(length))
    // What grows with the square would hold the bench for minutes at the longest text.
    if (ms > 20 * MOST_MS) return { ms, growth: Math.max(growth, MOST_GROWTH + 1) }
    if (before && before.ms > LEAST_MS)
      growth = Math.max(growth, (ms / before.ms) ** (1 / Math.log2(length / before.length)))
    before = { length, ms }
  }
  return { ms: before?.ms ?? 0, growth }
}

/** The median of three, or one that took so long that noise is no matter. */
function timeOf(read: Parser['read'], text: string): number {
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.cpuUsage()
    read(text)
    samples.push(process.cpuUsage(from).user / 1_000)
    if (samples[0]! < 5 || samples[0]! > MOST_MS) break
  }
  return median(samples)
}
