import type { Figures } from '../records.ts'
import type { Absent, Check } from './read-checks.ts'

/** A check as it was found. `wrong`: it does not hold, though the table does not say `fails`. */
type JudgedCheck = {
  n: number
  check: string
  verdict: Check['verdict']
  tests: readonly string[]
  reason?: string
  wrong?: string
}

export type Judgement = { rows: readonly JudgedCheck[]; figures: Figures }

/** What became of a test, by `file > group > title`. A test that is not there did not run. */
export type TestResults = ReadonlyMap<string, 'passed' | 'failed'>

/** A claim counts only as far as all its tests passed, and what it says is absent is so. */
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
