import type { Check } from './read-checks.ts'

type Verdict = Check['verdict']

/** A check as it was found: `test` proves it, or is empty. */
type JudgedCheck = { n: number; verdict: Verdict; test: string; reason?: string }

export type Judgement = { summary: { total: number } & Record<Verdict, number>; checks: JudgedCheck[] }

/** What became of a test, by `file > group > title`. A test that is not there did not run. */
export type TestResults = ReadonlyMap<string, 'passed' | 'failed'>

/** A claim counts only as far as its test passed. */
export function judgeChecks(checks: readonly Check[], results: TestResults): Judgement {
  const judged = checks.map((check): JudgedCheck => {
    const { n, verdict, reason } = check
    if (!('test' in check)) return { n, verdict, test: '', reason: check.reason }
    const { test } = check
    const result = results.get(test)
    if (result === 'passed') return { n, verdict, test, ...(reason !== undefined && { reason }) }
    const why = result === undefined ? 'There is no such test, or it was skipped.' : 'Its test failed.'
    return { n, verdict: 'fails', test, reason: why }
  })
  const count = (verdict: Verdict) => judged.filter(each => each.verdict === verdict).length
  const summary = {
    total: judged.length,
    holds: count('holds'),
    better: count('better'),
    notApplicable: count('notApplicable'),
    fails: count('fails'),
  }
  return { summary, checks: judged }
}
