import { expect, test } from 'vitest'
import { judgeChecks } from './judge.ts'
import { standsIn } from './find-titles.ts'
import { CHECKS, readChecks, type Check } from './read-checks.ts'
import { whereIs } from './where-is.ts'

const TEST = 'src/a.test.ts > a group > it works'
const aCheck = (n: number, given: object = {}) => ({
  n,
  check: 'It works.',
  verdict: 'holds',
  tests: [TEST],
  ...given,
})
const away = {
  check: 'It flies.',
  verdict: 'notApplicable',
  absent: [{ origin: 'bird' }],
  reason: 'It has no wings.',
}
const aTable = (given: Record<number, object> = {}) =>
  Array.from({ length: CHECKS }, (_, at) => JSON.stringify(given[at + 1] ?? aCheck(at + 1)))

test('a claim counts if all its tests passed and what it says is absent is so; what is wrong is said', () => {
  const gone = 'src/a.test.ts > gone'
  const broken = 'src/a.test.ts > broken'
  const wings = { path: 'src/wings.ts' }
  const checks = [
    aCheck(1),
    aCheck(2, { verdict: 'better', reason: 'It asks first.' }),
    aCheck(3, { tests: [TEST, broken] }),
    aCheck(4, { tests: [gone] }),
    { n: 5, ...away },
    { n: 6, ...away, absent: [{ path: 'src/fins.ts' }, wings] },
    { n: 7, check: 'It swims.', verdict: 'fails', reason: 'Not written yet.' },
  ] as Check[]
  const results = new Map([
    [TEST, 'passed'],
    [broken, 'failed'],
  ] as const)
  const { rows, figures } = judgeChecks(checks, results, absent =>
    absent === wings ? 'There is src/wings.ts.' : undefined,
  )
  expect(rows.map(({ verdict, wrong }) => [verdict, wrong])).toEqual([
    ['holds', undefined],
    ['better', undefined],
    ['fails', `Failed: ${broken}.`],
    ['fails', `There is no such test, or it was skipped: ${gone}.`],
    ['notApplicable', undefined],
    ['fails', 'There is src/wings.ts.'],
    ['fails', undefined],
  ])
  expect(figures).toEqual({ checks: 7, holds: 1, better: 1, notApplicable: 1, fails: 4, testsNamed: 3 })
})

test.for([
  ['a row that is missing', aTable().slice(1), 'Check 2 stands where check 1 belongs.'],
  ['a row too few', aTable().slice(0, -1), 'The table has 179 checks, and there are 180.'],
  ['a row twice', aTable({ 2: aCheck(1) }), 'Check 1 stands where check 2 belongs.'],
  [
    'a claim without a test',
    aTable({ 1: { n: 1, check: 'It works.', verdict: 'holds' } }),
    'Line 1 is no check',
  ],
  ['better without a reason', aTable({ 1: aCheck(1, { verdict: 'better' }) }), 'Line 1 is no check'],
  ['nothing that is absent', aTable({ 1: { n: 1, ...away, absent: [] } }), 'Line 1 is no check'],
  [
    'too many that are not applicable',
    aTable(Object.fromEntries(Array.from({ length: 16 }, (_, at) => [at + 1, { n: at + 1, ...away }]))),
    '16 checks are not applicable, and at most 15 may be.',
  ],
] as const)('%s is an error', ([, lines, why]) => {
  expect(readChecks(lines.join('\n'))).toEqual({ refused: expect.stringContaining(why) as string })
})

test.for([
  [{ path: 'src/main/host.ts' }, 'There is src/main/host.ts.'],
  [{ path: 'src/main/wings.ts' }, undefined],
  [{ origin: 'schedule' }, 'There are chats of the origin schedule.'],
  [{ origin: 'bird' }, undefined],
  [{ call: 'recall.search' }, 'The contract has recall.search.'],
  [{ call: 'recall.fly' }, undefined],
  [{ word: 'Schedule', in: 'src/shared/origin-rules.ts' }, 'src/shared/origin-rules.ts says “Schedule”.'],
  [{ word: 'trigram', in: 'src/main/db' }, undefined],
  [{ word: 'trigram', in: 'src/main/gone' }, 'src/main/gone is gone, so nothing is known of “trigram”.'],
] as const)('%j is found where it is', ([absent, where]) => {
  expect(whereIs(absent)).toBe(where)
})

const SOURCE = String.raw`
import { test } from 'vitest'
// test('only a remark', () => {})
describe('birds', () => {
  test('fly', () => {})
  it.skipIf(wet)("don't swim", () => {})
  test.for([
    ['a long way', 5_000],
  ])(
    'go %s of %i km',
    () => {},
  )
})
test('fish\'s fins', () => say('hello', 1))
test.skip('swim', () => {})
describe.skip('ostriches', () => {
  test('run', () => {})
})
`
test.for([
  [['birds', 'fly'], true],
  [['birds', 'fl'], false],
  [['fly', 'birds'], false],
  [['fish’s fins'], false],
  [["fish's fins"], true],
  [['birds', "don't swim"], true],
  [['birds', 'go a long way of 5000 km'], true],
  [['birds', 'go a short way of 5000 km'], false],
  [['hello'], false],
  [['only a remark'], false],
  [['swim'], false],
  [['ostriches', 'run'], false],
  [[], false],
] as const)('whether a source has the titles %j: %s', ([titles, expected]) => {
  expect(standsIn(SOURCE, titles)).toBe(expected)
})
