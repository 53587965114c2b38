import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { judgeChecks } from './judge.ts'
import { readChecks, testsOf } from './read-checks.ts'
import { runTests } from './run-tests.ts'
import { fail } from '../command-line.ts'

const USAGE = 'Usage: npm run -s eval:behaviour -- [--json]'

/**
 * Says of each check of the original's behaviour whether it holds here, by running the tests that prove it. The last line is
 * one JSON object; without --json a line for each check that fails stands before it.
 */
function main(): void {
  const onlyJson = readArguments()
  const checks = readChecks(readFileSync(new URL('checks.jsonl', import.meta.url), 'utf8'))
  if (isRefusal(checks)) return fail(checks.refused)
  const results = runTests(testsOf(checks))
  if (isRefusal(results)) return fail(results.refused)
  const judgement = judgeChecks(checks, results)
  if (!onlyJson) {
    console.table(judgement.summary)
    for (const { n, verdict, reason } of judgement.checks)
      if (verdict === 'fails') console.log(`${n}. ${checks[n - 1]?.check}\n   ${reason}`)
  }
  console.log(JSON.stringify(judgement))
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values.json
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

main()
