import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { allEvals } from './all-evals.ts'

const recordsFile = fileURLToPath(new URL('../bench/records.json', import.meta.url))

/**
 * What an eval or a part of the bench measured, by names such as `anyWhole`. Shares are per cent with one decimal, times are ms, the
 * rest are counts. What failed, was skipped or cannot fail has a figure of its own and is in no share.
 */
export type Figures = Record<string, number>

/** A share in per cent with one decimal; of nothing it is 0, which the count beside it tells. */
export const shareOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((1_000 * part) / whole) / 10

const Recorded = z.strictObject({
  /** The commit that was measured, ten hex digits; with a `+` where the working tree differed from it. */
  commit: z.string().regex(/^[0-9a-f]{10}\+?$/),
  /** The day, as YYYY-MM-DD. */
  on: z.iso.date(),
  /** Processors, system and version of Node. */
  machine: z.string().min(1),
  figures: z.record(z.string(), z.number()),
})
export type Recorded = z.infer<typeof Recorded>

/** The recorded figures by the names of `all-evals.ts`, and of the bench as `bench.<part>`. Written by `npm run evals` alone. */
export const Records = z.record(z.string(), Recorded)
export type Records = z.infer<typeof Records>

/** The figures of `bench/records.json`, or of another file in its form. Throws with what is wrong in it. */
export function readRecords(path = recordsFile): Records {
  try {
    return Records.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    throw new Error(`${path} holds no records: ${why}`, { cause: error })
  }
}

/**
 * What differs from the record of an eval, one sentence each; empty when all is as recorded. A figure may be away from its record as far
 * as the list of evals says, which is mostly 0: an eval on fixed data says the same every time. What got better is a difference too: it
 * is recorded with `npm run evals -- --only <name> --write`.
 */
export function differences(name: string, figures: Figures): string[] {
  const within = allEvals.find(each => each.name === name)?.within
  const recorded = readRecords()[name]?.figures
  if (!recorded) return [`Nothing is recorded for ${name}: npm run evals -- --only ${name} --write`]
  return compareFigures(recorded, figures, within).map(difference => `${name}: ${difference}`)
}

/** What differs between two lots of figures, one sentence for each figure that does. */
export function compareFigures(recorded: Figures, figures: Figures, within: Figures = {}): string[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(figures)])].flatMap(figure => {
    const [now, then] = [figures[figure], recorded[figure]]
    if (now === undefined) return [`${figure} was ${then}, and is not measured any more.`]
    if (then === undefined) return [`${figure} is ${now}, and is not recorded.`]
    return Math.abs(now - then) <= (within[figure] ?? 0) ? [] : [`${figure} is ${now}, recorded ${then}.`]
  })
}
