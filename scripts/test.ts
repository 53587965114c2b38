import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rootFolder } from '../src/main/lib/places.ts'
import { ensureChromium } from './chromium.ts'

// What `npm test` runs: everything, in the order in which trouble is cheapest to find, up to the first failure.
type Step = { name: string; command: readonly [string, ...string[]]; count?: (report: unknown) => Counts }
/** `flaky` passed only when they were run once more, and are named by the runner. */
type Counts = { passed: number; failed: number; flaky?: number }

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
    `--outputFile.json=${reportOf(name)}`,
  ] as const

const steps: Step[] = [
  { name: 'check', command: ['npm', 'run', '-s', 'check'] },
  // Early, because the tests of the terminal run the built one.
  { name: 'build', command: ['node', 'scripts/build.ts'] },
  // Vitest leaves a core free, which on two cores is half of them.
  { name: 'unit tests', command: vitest('node', 'unit tests', '--maxWorkers=100%'), count: countVitest },
  { name: 'browser tests', command: vitest('browser', 'browser tests'), count: countVitest },
  {
    name: 'end-to-end tests',
    // A browser on a machine with other work misses a moment now and then; whoever needs a second try is counted apart.
    command: ['playwright', 'test', '--reporter=list,json', '--retries=1'],
    count: countPlaywright,
  },
]

const chromium = ensureChromium()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const total = { passed: 0, failed: 0, flaky: 0 }
let code = 0
for (const step of steps) {
  console.log(`\n── ${step.name} ──`)
  const startedAt = Date.now()
  code = run(step)
  const { passed, failed, flaky = 0 } = countOf(step)
  total.passed += passed
  total.flaky += flaky
  // A step that fails without a failed test, such as the check, counts as one.
  total.failed += code === 0 ? failed : Math.max(failed, 1)
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1)
  console.log(`── ${step.name}: ${code === 0 ? 'passed' : `failed with code ${code}`} in ${seconds} s`)
  if (code !== 0) break
}
const again = total.flaky === 0 ? '' : `, ${total.flaky} of them at the second try`
console.log(`\n${total.passed} passed${again}, ${total.failed} failed`)
process.exitCode = code

function run({ name, command }: Step): number {
  const [program, ...args] = command
  const { status } = spawnSync(program, args, {
    cwd: root,
    // On Windows these programs are scripts of the shell.
    shell: process.platform === 'win32',
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
      CHROMIUM_PATH: chromium,
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(name),
    },
  })
  return status ?? 1
}

/** What a step's own report says; a runner that ended without one has counted nothing. */
function countOf({ name, count }: Step): Counts {
  if (!count) return { passed: 0, failed: 0 }
  try {
    return count(JSON.parse(readFileSync(reportOf(name), 'utf8')))
  } catch (error) {
    console.error(`There is no report of the ${name}: ${String(error)}`)
    return { passed: 0, failed: 0 }
  }
}

function countVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests } = report as { numPassedTests: number; numFailedTests: number }
  return { passed: numPassedTests, failed: numFailedTests }
}

function countPlaywright(report: unknown): Counts {
  const { stats } = report as { stats: { expected: number; flaky: number; unexpected: number } }
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky: stats.flaky }
}
