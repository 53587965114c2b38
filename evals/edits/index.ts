import { parseArgs } from 'node:util'
import { fail, printFigures } from '../command-line.ts'
import { measureEdits, usual } from './measure.ts'
import type { Tried } from './try-edits.ts'

const USAGE = `Usage: npm run -s eval:edits [-- --seed ${usual.seed} --each ${usual.each} --wrong]   --wrong prints each edit that came out wrong`

/**
 * Says how edits end when models write other blanks, quotes, dashes, accents and line ends than the file has:
 * as intended or refused. Any third result is wrong, and then it ends with 1.
 */
function main(): void {
  const { seed, each, wrong } = readArguments()
  const { rows, figures } = measureEdits({ seed, each })
  console.log(`${rows.length} edits: right / refused / wrong`)
  for (const key of ['language', 'distortion'] as const) {
    console.log('')
    for (const [name, those] of Map.groupBy(rows, edit => edit[key]))
      console.log(`${name.padEnd(24)}${counts(those)}`)
  }
  if (wrong)
    for (const { language, distortion, edit, got } of rows.filter(({ outcome }) => outcome === 'wrong'))
      console.log(JSON.stringify({ language, distortion, ...edit, got }))
  printFigures('edits', figures)
  process.exitCode = figures['wrong'] === 0 ? 0 : 1
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: String(usual.seed) },
        each: { type: 'string', default: String(usual.each) },
        wrong: { type: 'boolean', default: false },
      },
    })
    const [seed, each] = [Number(values.seed), Number(values.each)]
    return Number.isInteger(seed) && Number.isInteger(each) && each > 0
      ? { seed, each, wrong: values.wrong }
      : fail(USAGE)
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

const counts = (tried: readonly Tried[]) =>
  (['right', 'refused', 'wrong'] as const)
    .map(outcome => String(tried.filter(each => each.outcome === outcome).length).padStart(6))
    .join(' /')

main()
