import { z } from 'zod'
import { parseJson } from '../../src/main/lib/expected-errors.ts'
import type { Figures, Recorded } from '../records.ts'
import type { Outcome } from './run-eval.ts'
import { runProgram } from './run-program.ts'

/** What `bench/index.ts --json` prints: figures and texts by part. */
const Printed = z.object({ parts: z.record(z.string(), z.record(z.string(), z.unknown())) })

/**
 * Measure a part of the bench. Speeds are those of a machine, so they are shown beside the record as ratios, and a difference is no
 * failure. Texts that a part says beside its figures are no figures.
 */
export async function runPart(part: string, recorded: Recorded | undefined, root: string): Promise<Outcome> {
  const { ok, how, lastLine, errors } = await runProgram('bench/index.ts', ['--json', '--only', part], root)
  if (!ok) return { kind: 'failed', why: how, errors: errors || lastLine }
  const printed = Printed.safeParse(parseJson(lastLine))
  const measured = printed.success ? printed.data.parts[part] : undefined
  const figures = numbersIn(measured ?? {})
  if (Object.keys(figures).length === 0)
    return { kind: 'failed', why: `it printed no figures: ${lastLine.slice(0, 200)}`, errors }
  return { kind: 'measured', figures, ratios: ratiosTo(recorded?.figures ?? {}, figures) }
}

const numbersIn = (measured: Record<string, unknown>): Figures =>
  Object.fromEntries(
    Object.entries(measured).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
  )

/** Each figure now over the recorded one, in words; of figures that are new, or were 0, the figure itself. */
const ratiosTo = (recorded: Figures, figures: Figures): string[] =>
  Object.entries(figures).map(([name, now]) => {
    const then = recorded[name]
    return `${name.padEnd(44)} ${now}${then ? `   × ${(now / then).toFixed(2)} of ${then}` : ''}`
  })
