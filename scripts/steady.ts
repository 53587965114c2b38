import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { buildIfStale } from './build.ts'
import { ensureChromium } from './chromium.ts'
import { lineOf, readTotals, runSuite, suites, type Run, type Suite } from './suites.ts'

// Runs suites again and again and prints one line for each run. In every second run, two other programs keep
// two cores busy:
//   npm run test:steady -- --suite browser --suite e2e --runs 10
//   npm run test:steady -- --suite all --runs 3

const named = {
  unit: suites.unit,
  browser: suites.browser,
  e2e: suites.e2e,
  all: { name: 'all', command: ['node', 'scripts/test.ts'] },
} satisfies Record<string, Suite>

const { values } = parseArgs({
  options: {
    suite: { type: 'string', multiple: true, default: ['browser', 'e2e'] },
    runs: { type: 'string', default: '10' },
  },
})
const runs = Number(values.runs)
const chosen = values.suite.filter(name => Object.hasOwn(named, name)) as (keyof typeof named)[]
if (chosen.length !== values.suite.length || !Number.isInteger(runs) || runs < 1) {
  console.error(
    `Use --suite ${Object.keys(named).join('|')} (as often as you like) and --runs with a number.`,
  )
  process.exit(2)
}

const logs = join(rootFolder(), 'node_modules/.cache/talaria/steady')
mkdirSync(logs, { recursive: true })
let busy: ChildProcess[] = []
const stopBusy = () => {
  for (const each of busy.splice(0)) each.kill('SIGKILL')
}
process.on('exit', stopBusy)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const chromium = ensureChromium()
buildIfStale()
const done: Run[] = []
for (const name of chosen) for (let run = 1; run <= runs; run++) done.push(await runOnce(name, run))

const failed = done.filter(({ code }) => code !== 0)
console.log(`\n${done.length} runs, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1

async function runOnce(name: keyof typeof named, run: number): Promise<Run> {
  const isBusy = run % 2 === 0
  const log = join(logs, `${name}-${run}.log`)
  const output = openSync(log, 'w')
  if (isBusy) busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  const ended = await runSuite(named[name], chromium, output)
  stopBusy()
  closeSync(output)
  const totals = name === 'all' ? readTotals(readFileSync(log, 'utf8')) : {}
  const result = { ...ended, ...totals, suite: name, run, of: runs, isBusy }
  console.log(lineOf(result))
  for (const failure of ended.failures) console.log(`  failed: ${failure}`)
  if (ended.code !== 0) console.log(`  its output: ${log}`)
  return result
}
