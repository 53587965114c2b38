import { z } from 'zod'
import { parseJson } from '../../src/main/lib/expected-errors.ts'
import type { Figures, Recorded } from '../records.ts'
import type { Outcome } from './run-eval.ts'
import { runProgram } from './run-program.ts'

/** What `bench/index.ts --json` prints: figures and texts by part. */
const Printed = z.object({ parts: z.record(z.string(), z.record(z.string(), z.unknown())) })

/**
 * Measure a part of the bench. Speeds depend on the machine, so they are shown as ratios to the record, and a
 * difference is no failure. Texts that a part prints with its figures are left out.
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

/**
 * Each figure divided by the recorded one, in words. A figure that is new, or whose record is 0, is shown
 * itself.
 */
const ratiosTo = (recorded: Figures, figures: Figures): string[] =>
  Object.entries(figures).map(([name, now]) => {
    const then = recorded[name]
    return `${name.padEnd(44)} ${now}${then ? `   × ${(now / then).toFixed(2)} of ${then}` : ''}`
  })
