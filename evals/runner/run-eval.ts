import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../src/main/lib/expected-errors.ts'
import type { Eval } from '../all-evals.ts'
import { compareFigures, type Figures, type Recorded } from '../records.ts'
import { runProgram } from './run-program.ts'

/** The outcome of an eval or of a part of the bench. `errors`: the end of its program's output on stderr. */
export type Outcome =
  | { kind: 'as recorded'; figures: Figures }
  | { kind: 'differs'; figures: Figures; how: readonly string[] }
  | { kind: 'new'; figures: Figures }
  | { kind: 'measured'; figures: Figures; ratios: readonly string[] }
  | { kind: 'skipped'; why: string }
  | { kind: 'failed'; why: string; errors: string }

/** Where evals run: the root of the project, and the folder with labelled data, which may be missing. */
export type Place = { root: string; data: string | undefined }

/** The last line of an eval, as `printFigures` writes it. */
const LastLine = z.object({
  eval: z.string().min(1),
  figures: z.record(z.string(), z.number()).refine(figures => Object.keys(figures).length > 0),
})

const Package = z.object({ scripts: z.record(z.string(), z.string()) })

/** The scripts of package.json by their names. */
export const readScripts = (root: string): Record<string, string> =>
  Package.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts

/** The file that a script in package.json runs with Node; undefined if the script does anything else. */
export const fileOfScript = (script: string | undefined): string | undefined =>
  /^node (\S+)$/.exec(script ?? '')?.[1]

/** The arguments of an eval with the data folder filled in, or why the eval cannot run. */
function fillArguments(
  args: readonly string[],
  data: string | undefined,
): string[] | { kind: 'skipped' | 'failed'; why: string } {
  const filled: string[] = []
  for (const arg of args) {
    if (!arg.includes('{data}')) {
      filled.push(arg)
      continue
    }
    if (data === undefined)
      return { kind: 'skipped', why: 'it needs labelled data that is not in the repository (--data FOLDER)' }
    const path = arg.replace('{data}', data)
    if (!existsSync(path)) return { kind: 'failed', why: `${path} is not there` }
    filled.push(path)
  }
  return filled
}

/** Run an eval as its script says, and compare its figures with its record. */
export async function runEval(
  { name, script, args, within }: Eval,
  recorded: Recorded | undefined,
  { root, data }: Place,
): Promise<Outcome> {
  const failed = (why: string, errors = ''): Outcome => ({ kind: 'failed', why, errors })
  const command = readScripts(root)[script]
  const file = fileOfScript(command)
  if (file === undefined)
    return failed(
      command === undefined
        ? `package.json has no script ${script}`
        : `the script ${script} is no “node FILE”`,
    )
  if (!existsSync(join(root, file))) return failed(`${file}, which ${script} runs, is not there`)
  const filled = fillArguments(args, data)
  if (!Array.isArray(filled)) return { ...filled, errors: '' }
  const { ok, how, lastLine, errors } = await runProgram(file, filled, root)
  // The error may be in a row instead.
  if (!ok) return failed(how, errors || lastLine)
  const read = LastLine.safeParse(parseJson(lastLine))
  if (!read.success)
    return failed(`its last line holds no figures: ${lastLine.slice(0, 120) || '(nothing)'}`, errors)
  const { eval: printed, figures } = read.data
  if (printed !== name) return failed(`it printed the figures of ${printed}`, errors)
  if (!recorded) return { kind: 'new', figures }
  const differing = compareFigures(recorded.figures, figures, within)
  return differing.length === 0
    ? { kind: 'as recorded', figures }
    : { kind: 'differs', figures, how: differing }
}
