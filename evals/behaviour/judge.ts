import type { Figures } from '../records.ts'
import type { Absent, Check } from './read-checks.ts'

/** The result of a check. `wrong`: it does not hold although the table does not say `fails`. */
type JudgedCheck = {
  n: number
  check: string
  verdict: Check['verdict']
  tests: readonly string[]
  reason?: string
  wrong?: string
}

export type Judgement = { rows: readonly JudgedCheck[]; figures: Figures }

/** The results of tests, by `file > group > title`. A missing test did not run. */
export type TestResults = ReadonlyMap<string, 'passed' | 'failed'>

/**
 * Judge checks. A claim only counts if all its tests passed and everything that it calls absent is absent.
 */
export function judgeChecks(
  checks: readonly Check[],
  results: TestResults,
  whereIs: (absent: Absent) => string | undefined,
): Judgement {
  const rows = checks.map((given): JudgedCheck => {
    const { n, check, verdict, reason } = given
    const tests = 'tests' in given ? given.tests : []
    const row = { n, check, verdict, tests, ...(reason !== undefined && { reason }) }
    const there = 'absent' in given ? given.absent.flatMap(each => whereIs(each) ?? []) : []
    const wrong = [...tests.flatMap(test => whyUnproved(test, results) ?? []), ...there]
    return wrong.length === 0 ? row : { ...row, verdict: 'fails', wrong: wrong.join(' ') }
  })
  const count = (verdict: Check['verdict']) => rows.filter(each => each.verdict === verdict).length
  const figures = {
    checks: rows.length,
    holds: count('holds'),
    better: count('better'),
    notApplicable: count('notApplicable'),
    fails: count('fails'),
    testsNamed: new Set(rows.flatMap(({ tests }) => tests)).size,
  }
  return { rows, figures }
}

function whyUnproved(test: string, results: TestResults): string | undefined {
  const result = results.get(test)
  if (result === 'passed') return undefined
  return result === 'failed' ? `Failed: ${test}.` : `There is no such test, or it was skipped: ${test}.`
}
