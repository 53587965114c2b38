import { expect, test } from 'vitest'
import {
  closingLine,
  failureLines,
  lineOf,
  progressLine,
  readPlaywright,
  readTotals,
  readVitest,
} from './suites.ts'

test('the closing line names what was skipped only when something was', () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(closingLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('a report of Vitest is counted, and names what failed and why; a file that cannot be loaded is named itself', () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    numPendingTests: 1,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          {
            status: 'failed',
            fullName: 'two',
            failureMessages: ['Error: no\n    at x.ts:1\n    at node_modules/y.js:2'],
          },
        ],
      },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'pending', fullName: 'three' }] },
    ],
  }
  expect(readVitest(report)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: ['a.test.ts: two\n      Error: no\n          at x.ts:1', 'b.test.ts'],
  })
})

test('a report of Playwright is counted, and names what failed and why, however deep it lies', () => {
  const spec = (title: string, status: string) => ({
    file: 'x.spec.ts',
    title,
    tests: [{ projectName: 'web', status, results: [{ errors: [{ message: `${title} broke` }] }] }],
  })
  const report = {
    stats: { expected: 1, unexpected: 1, skipped: 1 },
    suites: [{ specs: [spec('one', 'expected')], suites: [{ specs: [spec('two', 'unexpected')] }] }],
  }
  expect(readPlaywright(report)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: ['web x.spec.ts: two\n      two broke'],
  })
})

test('a run is one line, and the counts of a whole npm test are read from its last closing line', () => {
  const counts = { passed: 123, failed: 0, skipped: 2, seconds: 231.44, code: 0 }
  expect(lineOf({ ...counts, suite: 'e2e', run: 2, of: 10, isBusy: true })).toBe(
    'e2e      run  2 of 10  beside two busy loops   231.4 s  123 passed, 0 failed, 2 skipped  passed',
  )
  expect(lineOf({ ...counts, suite: 'browser', run: 1, of: 3, isBusy: false, code: 1 })).toBe(
    'browser  run 1 of 3  alone                   231.4 s  123 passed, 0 failed, 2 skipped  failed with code 1',
  )
  expect(readTotals('1 passed, 0 failed\nmore\n7 passed, 2 failed, 3 skipped\n')).toEqual({
    passed: 7,
    failed: 2,
    skipped: 3,
  })
  expect(readTotals('it broke')).toBeUndefined()
})

test('what failed is named by suite, the first one on top', () => {
  const counts = { passed: 3, skipped: 0, seconds: 1 }
  const ended = (name: string, code: number, ...failures: string[]) => ({
    ...counts,
    name,
    code,
    failures,
    failed: failures.length,
  })
  expect(failureLines([ended('check', 0)])).toEqual([])
  expect(
    failureLines([
      ended('browser tests', 1, 'a.test.ts: one'),
      ended('unit tests', 0),
      ended('end-to-end tests', 1, 'web x.spec.ts: two', 'web y.spec.ts: three'),
    ]),
  ).toEqual([
    '\nFailed first: browser tests',
    '  a.test.ts: one',
    '\nFailed too: end-to-end tests',
    '  web x.spec.ts: two',
    '  web y.spec.ts: three',
  ])
})

test('the progress names each running suite with the last line that it printed', () => {
  const running = [
    ['unit tests', ' ✓ a.test.ts\n \u001B[32m✓ b.test.ts\u001B[39m (2 tests)\n'],
    ['end-to-end tests', ''],
  ] as const
  expect(progressLine(61.2, running)).toBe(
    '… 61 s\n    unit tests: ✓ b.test.ts (2 tests)\n    end-to-end tests: ',
  )
})
