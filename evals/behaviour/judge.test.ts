import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeChecks } from './judge.ts'
import { CHECKS, readChecks, testsOf, type Check } from './read-checks.ts'

const TEST = 'src/a.test.ts > a group > it works'
const aCheck = (n: number, given: object = {}) => ({
  n,
  check: 'It works.',
  verdict: 'holds',
  test: TEST,
  ...given,
})
const aTable = (given: Record<number, object> = {}) =>
  Array.from({ length: CHECKS }, (_, at) => JSON.stringify(given[at + 1] ?? aCheck(at + 1)))

test('a claim counts if its test passed, and fails with the reason if not', () => {
  const checks = [
    aCheck(1),
    aCheck(2, { verdict: 'better', reason: 'It asks first.' }),
    aCheck(3, { test: 'src/a.test.ts > broken' }),
    aCheck(4, { test: 'src/a.test.ts > gone' }),
    { n: 5, check: 'It flies.', verdict: 'notApplicable', reason: 'It has no wings.' },
    { n: 6, check: 'It swims.', verdict: 'fails', reason: 'Not written yet.' },
  ] as Check[]
  const results = new Map([
    [TEST, 'passed'],
    ['src/a.test.ts > broken', 'failed'],
  ] as const)
  expect(judgeChecks(checks, results)).toEqual({
    summary: { total: 6, holds: 1, better: 1, notApplicable: 1, fails: 3 },
    checks: [
      { n: 1, verdict: 'holds', test: TEST },
      { n: 2, verdict: 'better', test: TEST, reason: 'It asks first.' },
      { n: 3, verdict: 'fails', test: 'src/a.test.ts > broken', reason: 'Its test failed.' },
      {
        n: 4,
        verdict: 'fails',
        test: 'src/a.test.ts > gone',
        reason: 'There is no such test, or it was skipped.',
      },
      { n: 5, verdict: 'notApplicable', test: '', reason: 'It has no wings.' },
      { n: 6, verdict: 'fails', test: '', reason: 'Not written yet.' },
    ],
  })
})

const away = { check: 'It flies.', verdict: 'notApplicable', reason: 'It has no wings.' }
test.for([
  ['a row that is missing', aTable().slice(1), 'Check 2 stands where check 1 belongs.'],
  ['a row too few', aTable().slice(0, -1), 'The table has 179 checks, and there are 180.'],
  ['a row twice', aTable({ 2: aCheck(1) }), 'Check 1 stands where check 2 belongs.'],
  ['a claim without a test', aTable({ 1: { n: 1, check: 'It works.', verdict: 'holds' } }), 'Not a check'],
  ['better without a reason', aTable({ 1: aCheck(1, { verdict: 'better' }) }), 'Not a check'],
  [
    'too many that are not applicable',
    aTable(Object.fromEntries(Array.from({ length: 16 }, (_, at) => [at + 1, { n: at + 1, ...away }]))),
    '16 checks are not applicable, and at most 15 may be.',
  ],
] as const)('%s is an error', ([, lines, why]) => {
  expect(readChecks(lines.join('\n'))).toEqual({ refused: expect.stringContaining(why) as string })
})

test('the table is whole, and its tests are named once', () => {
  const table = readFileSync(new URL('checks.jsonl', import.meta.url), 'utf8')
  const checks = readChecks(table)
  expect(checks).toHaveLength(CHECKS)
  const names = testsOf(checks as Check[])
  expect(new Set(names).size).toBe(names.length)
})
