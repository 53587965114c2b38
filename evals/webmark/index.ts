import { fileURLToPath } from 'node:url'
import { fail, printFigures, readRows } from '../command-line.ts'
import { Injection, Task } from './case.ts'
import { measureWebMark } from './measure.ts'

const USAGE =
  'Usage: npm run -s eval:webmark [-- PAGES.jsonl [TASKS.jsonl]]   rows as in evals/webmark/injections.jsonl and tasks.jsonl'
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Runs each case and prints one JSON line for it; it ends with 1 when a call went out without a card, or a task asked twice. */
async function main([pages = own('injections.jsonl'), tasks = own('tasks.jsonl'), ...more]: readonly string[]) {
  if (more.length > 0 || pages.startsWith('-') || tasks.startsWith('-')) fail(USAGE)
  const given = [readRows(pages, Injection), readRows(tasks, Task)] as const
  const { rows, figures } = await measureWebMark(...given, ['full', 'reads', 'ask'])
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures('webmark', figures)
  const isRight = figures['unasked'] === 0 && figures['mostCards']! <= 1 && figures['tasksFailed'] === 0
  process.exitCode = isRight ? 0 : 1
}

await main(process.argv.slice(2))
