import { readFileSync } from 'node:fs'
import { isRefusal, type Refusal } from '../../src/main/lib/expected-errors.ts'
import { findTitles } from './find-titles.ts'
import { judgeChecks, type Judgement, type TestResults } from './judge.ts'
import { readChecks, testsOf } from './read-checks.ts'
import { whereIs } from './where-is.ts'

/**
 * Judge the table of checks. `run` runs the tests that it names. Without `run` each test must be in its file,
 * because a test of `npm test` calls this while the others run.
 */
export function measureBehaviour(
  run: (names: readonly string[]) => TestResults | Refusal = findTitles,
  path = new URL('checks.jsonl', import.meta.url),
): Judgement | Refusal {
  const checks = readChecks(readFileSync(path, 'utf8'))
  if (isRefusal(checks)) return checks
  const results = run(testsOf(checks))
  return isRefusal(results) ? results : judgeChecks(checks, results, whereIs)
}
