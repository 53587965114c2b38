import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { startProgram } from './programs.ts'

/** One part of `npm test`. A suite that reports counts has `read`. */
export type Suite = {
  name: string
  command: readonly [string, ...string[]]
  read?: (report: unknown) => Result
}
/**
 * A suite's own report; `failures` are the names of the failed tests, each with the beginning of its message.
 */
export type Result = { passed: number; failed: number; skipped: number; failures: readonly string[] }
/** The result of a suite that was run. */
export type Ended = Result & { name: string; code: number; seconds: number }

const root = rootFolder()
const reports = join(root, 'node_modules/.cache/talaria/reports')
const reportOf = (name: string) => join(reports, `${name.replaceAll(' ', '-')}.json`)
const vitest = (project: string, name: string, ...more: string[]) =>
  [
    'vitest',
    'run',
    `--project=${project}`,
    ...more,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./testing/report-skips.ts',
    `--outputFile.json=${reportOf(name)}`,
  ] as const

/** The parts of `npm test`. */
export const suites = {
  check: { name: 'check', command: ['node', 'scripts/check.ts'] },
  // The terminal's tests and the end-to-end tests run the build.
  build: { name: 'build', command: ['node', 'scripts/build.ts'] },
  // Vitest leaves one core idle, which on two cores is half of them.
  unit: {
    name: 'unit tests',
    command: vitest('node', 'unit tests', '--maxWorkers=100%'),
    read: readVitest,
  },
  browser: { name: 'browser tests', command: vitest('browser', 'browser tests'), read: readVitest },
  e2e: {
    name: 'end-to-end tests',
    // `npm run test:long -- stories` runs the others, and `npm run test:desktop` runs the specs in Electron.
    command: ['playwright', 'test', '--grep-invert=@story', '--reporter=list,json'],
    read: readPlaywright,
  },
} satisfies Record<string, Suite>

/** Run a suite to its end. Its output goes to a file descriptor. */
export async function runSuite(
  { name, command, read }: Suite,
  chromium: string,
  output: number,
): Promise<Ended> {
  mkdirSync(reports, { recursive: true })
  rmSync(reportOf(name), { force: true })
  const startedAt = Date.now()
  const child = startProgram(command, {
    stdio: ['ignore', output, output],
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(name) },
  })
  const code = await new Promise<number>(resolve => {
    child.once('error', () => resolve(1))
    child.once('exit', status => resolve(status ?? 1))
  })
  const result = resultOf(name, read)
  // A suite that fails without a failed test, such as the check, counts as one.
  const failed = code === 0 ? result.failed : Math.max(result.failed, 1)
  const failures = code !== 0 && result.failures.length === 0 ? [name] : result.failures
  return { ...result, name, failed, failures, code, seconds: (Date.now() - startedAt) / 1_000 }
}

/** The plain closing line of `npm test`, which other programs parse. */
export const closingLine = ({ passed, failed, skipped }: Omit<Result, 'failures'>): string =>
  `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`

/** The failures, each with its suite; the suite that failed first is at the top. */
export const failureLines = (ended: readonly Ended[]): string[] =>
  ended
    .filter(({ code }) => code !== 0)
    .flatMap(({ name, failures }, index) => [
      `\n${index === 0 ? 'Failed first' : 'Failed too'}: ${name}`,
      ...failures.map(failure => `  ${failure}`),
    ])

/**
 * A line that names the suites that still run after so many seconds, each with the last line of its output.
 */
export const progressLine = (seconds: number, running: readonly (readonly [string, string])[]): string =>
  [
    `… ${Math.round(seconds)} s`,
    ...running.map(
      ([name, output]) => `${name}: ${lastLine(stripVTControlCharacters(output)).slice(0, 100)}`,
    ),
  ].join('\n    ')

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)!.trim()

/** A suite's own report; zero counts if the runner ended without one. */
function resultOf(name: string, read: Suite['read']): Result {
  const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }
  if (!read) return nothing
  try {
    return read(JSON.parse(readFileSync(reportOf(name), 'utf8')))
  } catch (error) {
    console.error(`There is no report of the ${name}: ${String(error)}`)
    return nothing
  }
}

type VitestFile = {
  name: string
  status: string
  message?: string
  assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
}
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: VitestFile[]
}

export function readVitest(report: unknown): Result {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report as VitestReport
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed')
    // A file that fails to load has no tests.
    if (failed.length === 0) return status === 'failed' ? [withReason(name, message)] : []
    return failed.map(test => withReason(`${name}: ${test.fullName}`, test.failureMessages?.[0]))
  })
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, failures }
}

const MOST_REASON_LINES = 20
const MOST_REASON_WIDTH = 300

/**
 * A failed test with the beginning of its message. It is printed at the end, which is all that some CI
 * systems keep of a long log.
 */
function withReason(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, MOST_REASON_LINES)
  return [name, ...lines.map(line => `    ${line.slice(0, MOST_REASON_WIDTH)}`)].join('\n  ')
}

type PlaywrightTest = {
  projectName: string
  status: string
  results?: { errors?: { message?: string }[] }[]
}
type Specs = { specs?: { file: string; title: string; tests: PlaywrightTest[] }[]; suites?: Specs[] }
type PlaywrightReport = Specs & { stats: { expected: number; unexpected: number; skipped: number } }

export function readPlaywright(report: unknown): Result {
  const { stats, ...specs } = report as PlaywrightReport
  return {
    passed: stats.expected,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: unexpected(specs),
  }
}

const unexpected = ({ specs = [], suites = [] }: Specs): string[] => [
  ...specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName, results }) =>
        withReason(`${projectName} ${file}: ${title}`, results?.[0]?.errors?.[0]?.message),
      ),
  ),
  ...suites.flatMap(unexpected),
]

/** Run number `run` of `of` of a suite. `isBusy`: two busy programs ran at the same time. */
export type Run = Omit<Ended, 'failures' | 'name'> & {
  suite: string
  run: number
  of: number
  isBusy: boolean
}

/** A run as a printed line. */
export function lineOf({ suite, run, of, isBusy, seconds, code, ...counts }: Run): string {
  const number = `run ${String(run).padStart(String(of).length)} of ${of}`
  const beside = isBusy ? 'beside two busy loops' : 'alone'
  const end = code === 0 ? 'passed' : `failed with code ${code}`
  return [
    suite.padEnd(7),
    number,
    beside.padEnd(21),
    `${seconds.toFixed(1).padStart(6)} s`,
    closingLine(counts),
    end,
  ].join('  ')
}

/** The counts from the last closing line of `npm test`. */
export function readTotals(output: string): { passed: number; failed: number; skipped: number } | undefined {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1)
  return last && { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) }
}
