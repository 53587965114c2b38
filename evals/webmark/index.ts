import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { ApprovalMode } from '../../src/shared/contract/chats/session.ts'
import { fail, printFigures, readRows } from '../command-line.ts'
import { Injection, Task } from './case.ts'
import { measureWebMark } from './measure.ts'

const USAGE = `Usage: npm run -s eval:webmark [-- [--every-mode] [--every N] [PAGES.jsonl [TASKS.jsonl]]]
rows as in evals/webmark/injections.jsonl and tasks.jsonl; --every: only each Nth page`
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Runs each case and prints one JSON line for it. Ends with 1 if a call ran without a card, or if a task
 * asked twice.
 */
async function main(words: readonly string[]): Promise<void> {
  const { values, positionals } = optionsIn(words)
  const every = Number(values.every)
  const [pages = own('injections.jsonl'), tasks = own('tasks.jsonl'), ...more] = positionals
  if (more.length > 0 || !(every >= 1)) fail(USAGE)
  // Full access asks the least.
  const modes: ApprovalMode[] = values['every-mode'] ? ['full', 'reads', 'ask'] : ['full']
  const some = readRows(pages, Injection).filter((_, at) => at % every === 0)
  const { rows, figures } = await measureWebMark(some, readRows(tasks, Task), modes)
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures(every === 1 ? 'webmark' : 'webmark-sample', figures)
  const isRight = figures['unasked'] === 0 && figures['mostCards']! <= 1 && figures['tasksFailed'] === 0
  process.exitCode = isRight ? 0 : 1
}

function optionsIn(words: readonly string[]) {
  try {
    const options = { 'every-mode': { type: 'boolean' }, every: { type: 'string', default: '1' } } as const
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch {
    return fail(USAGE)
  }
}

await main(process.argv.slice(2))
