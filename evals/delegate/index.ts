import { fileURLToPath } from 'node:url'
import { fail, printFigures, readRows } from '../command-line.ts'
import { Case } from './case.ts'
import { measureDelegate } from './measure.ts'

const USAGE = 'Usage: npm run -s eval:delegate [-- FILE.jsonl]   rows as in evals/delegate/cases.jsonl'
const own = fileURLToPath(new URL('cases.jsonl', import.meta.url))

/** Runs each case and prints one JSON line for it. Ends with 1 when a fact is not as labelled. */
async function main([path = own, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0 || path.startsWith('-')) fail(USAGE)
  const { rows, figures } = await measureDelegate(readRows(path, Case))
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures('delegate', figures)
  process.exitCode = figures['right'] === figures['cases'] ? 0 : 1
}

await main(process.argv.slice(2))
