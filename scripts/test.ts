import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { ensureChromium } from './chromium.ts'
import {
  closingLine,
  failureLines,
  progressLine,
  runSuite,
  suites,
  type Ended,
  type Suite,
} from './suites.ts'

// `npm test`: the check and the build at the same time, then the tests, one suite after the other. Each suite
// fills two cores for most of its time: three at once took as long altogether, and each of their tests took
// three times as long. The output of a suite goes to a file, which is shown when the suite ends.

/**
 * How often to name the running suites, in ms: a CI machine may stop a program that prints nothing for long.
 */
const PROGRESS_MS = 60_000

const logs = join(rootFolder(), 'node_modules/.cache/talaria/logs')
mkdirSync(logs, { recursive: true })
const chromium = ensureChromium()
const startedAt = Date.now()
const running = new Map<string, string>()
const ended: Ended[] = []

const progress = setInterval(() => {
  const last = [...running].map(([name, log]) => [name, readFileSync(log, 'utf8')] as const)
  console.log(progressLine((Date.now() - startedAt) / 1_000, last))
}, PROGRESS_MS)
await Promise.all([suites.check, suites.build].map(runLogged))
if (ended.every(({ code }) => code === 0))
  for (const suite of [suites.unit, suites.browser, suites.e2e]) await runLogged(suite)
clearInterval(progress)

const sum = (count: 'passed' | 'failed' | 'skipped') => ended.reduce((total, each) => total + each[count], 0)
console.log(`\n── all: ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`)
for (const line of failureLines(ended)) console.log(line)
console.log(`\n${closingLine({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') })}`)
process.exitCode = ended.find(({ code }) => code !== 0)?.code ?? 0

/** Run a suite with its output in a file; at the end print the file and the result. */
async function runLogged(suite: Suite): Promise<void> {
  const log = join(logs, `${suite.name.replaceAll(' ', '-')}.log`)
  const output = openSync(log, 'w')
  running.set(suite.name, log)
  const result = await runSuite(suite, chromium, output)
  closeSync(output)
  running.delete(suite.name)
  ended.push(result)
  const end = result.code === 0 ? 'passed' : `failed with code ${result.code}`
  console.log(`\n── ${suite.name} ──\n${readFileSync(log, 'utf8').trimEnd()}`)
  console.log(`── ${suite.name}: ${end} in ${result.seconds.toFixed(1)} s`)
}
