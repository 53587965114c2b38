import { parseJson } from '../../src/main/lib/expected-errors.ts'
import { runCase, type Case } from './run-case.ts'
import { fail, readLines } from '../command-line.ts'

const USAGE = 'Usage: npm run -s eval:delegate -- FILE.jsonl   rows as in evals/delegate/cases.jsonl'

/** Runs each case of a file and prints one JSON line for it, and at last how many had all facts right. */
async function main([path]: readonly string[]): Promise<void> {
  if (path === undefined) fail(USAGE)
  let right = 0
  const lines = readLines(path)
  for (const [at, line] of lines.entries()) {
    const given = parseJson(line) as Case | undefined
    if (!Array.isArray(given?.agents) || !Array.isArray(given.facts))
      fail(`Line ${at + 1} is no case.\n${USAGE}`)
    const wrong = await runCase(given)
    if (wrong.length === 0) right++
    console.log(
      JSON.stringify({ id: given.id, right: wrong.length === 0, ...(wrong.length > 0 && { wrong }) }),
    )
  }
  console.log(JSON.stringify({ cases: lines.length, right }))
  process.exitCode = right === lines.length ? 0 : 1
}

await main(process.argv.slice(2))
