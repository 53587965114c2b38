import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { allEvals } from './all-evals.ts'

const recordsFile = fileURLToPath(new URL('../bench/records.json', import.meta.url))

/**
 * The figures of an eval or of a part of the bench, by names such as `anyWhole`. Shares are in per cent with
 * one decimal, times in ms, and everything else is a count. Rows that failed, were skipped or cannot fail
 * have their own figures and are in no share.
 */
export type Figures = Record<string, number>

/** A share in per cent with one decimal. The share of nothing is 0, which the count beside it shows. */
export const shareOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((1_000 * part) / whole) / 10

const Recorded = z.strictObject({
  /** The measured commit, ten hex digits, with a `+` if the working tree differed from it. */
  commit: z.string().regex(/^[0-9a-f]{10}\+?$/),
  /** The day, as YYYY-MM-DD. */
  on: z.iso.date(),
  /** Processors, system and version of Node. */
  machine: z.string().min(1),
  figures: z.record(z.string(), z.number()),
})
export type Recorded = z.infer<typeof Recorded>

/**
 * The recorded figures by the names of `all-evals.ts`, and of the bench as `bench.<part>`. Only `npm run
 * evals` writes them.
 */
export const Records = z.record(z.string(), Recorded)
export type Records = z.infer<typeof Records>

/**
 * The figures of `bench/records.json`, or of another file in the same form. Throws an error that says what is
 * wrong in it.
 */
export function readRecords(path = recordsFile): Records {
  try {
    return Records.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    throw new Error(`${path} holds no records: ${why}`, { cause: error })
  }
}

/**
 * What differs from the record of an eval, one sentence each; empty when nothing does. The list of evals says
 * how much a figure may differ, which is mostly 0, because an eval on fixed data gives the same figures every
 * time. An improvement is a difference too: record it with `npm run evals -- --only <name> --write`.
 */
export function differences(name: string, figures: Figures): string[] {
  const within = allEvals.find(each => each.name === name)?.within
  const recorded = readRecords()[name]?.figures
  if (!recorded) return [`Nothing is recorded for ${name}: npm run evals -- --only ${name} --write`]
  return compareFigures(recorded, figures, within).map(difference => `${name}: ${difference}`)
}

/** The differences between two sets of figures, one sentence for each. */
export function compareFigures(recorded: Figures, figures: Figures, within: Figures = {}): string[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(figures)])].flatMap(figure => {
    const [now, then] = [figures[figure], recorded[figure]]
    if (now === undefined) return [`${figure} was ${then}, and is not measured any more.`]
    if (then === undefined) return [`${figure} is ${now}, and is not recorded.`]
    return Math.abs(now - then) <= (within[figure] ?? 0) ? [] : [`${figure} is ${now}, recorded ${then}.`]
  })
}
