import { parseArgs } from 'node:util'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { fail, printFigures } from '../command-line.ts'
import { measureBehaviour } from './measure-behaviour.ts'
import { runTests } from './run-tests.ts'

const USAGE = 'Usage: npm run -s eval:behaviour'

/**
 * Says for each check of the original's behaviour whether it holds here, by running the tests that prove it:
 * one JSON line for each check, then the figures. Ends with 1 when a check does not hold although the table
 * does not say `fails`.
 */
function main(): void {
  refuseArguments()
  const judgement = measureBehaviour(runTests)
  if (isRefusal(judgement)) return fail(judgement.refused)
  const { rows, figures } = judgement
  for (const row of rows) console.log(JSON.stringify(row))
  const wrong = rows.filter(row => row.wrong !== undefined)
  for (const { n, check, wrong: why } of wrong) console.error(`${n}. ${check}\n   ${why}`)
  printFigures('behaviour', figures)
  if (wrong.length > 0) process.exitCode = 1
}

function refuseArguments(): void {
  try {
    parseArgs({ options: {} })
  } catch (error) {
    fail(`${(error as Error).message}\n${USAGE}`)
  }
}

main()
