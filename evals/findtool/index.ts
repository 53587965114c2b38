import { parseArgs } from 'node:util'
import { fail, printFigures } from '../command-line.ts'
import { encodeNothing, measureFindTool, openEncoder } from './measure.ts'
import { givenRows, ownRows, type Row } from './rows.ts'

const USAGE = `Usage: npm run -s eval:findtool [-- [--words] [--daily | FILE.jsonl]]
  rows {tools: [{server, name, description}], request, want: server/name or {server, name}, id?, part?}
  --words: without the encoder   --daily: only requests that nothing was fitted to, and those of models`

/**
 * Says for each request which tools `find_tool` puts first, and counts how often the right one is among them.
 * The shares are for a warm encoder. A search uses only words if the encoder is not ready within 10 s
 * (`--words`).
 */
async function main(): Promise<void> {
  const { name, words, rows: given } = readArguments()
  if (words) return print(name, await measureFindTool(given, encodeNothing))
  const meanings = openEncoder(error => fail(`The encoder does not run: ${String(error)}`))
  try {
    print(name, await measureFindTool(given, meanings.of))
  } finally {
    await meanings.close()
  }
}

function print(name: string, { rows, figures }: Awaited<ReturnType<typeof measureFindTool>>): void {
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures(name, figures)
}

function readArguments(): { name: string; words: boolean; rows: Row[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        words: { type: 'boolean', default: false },
        daily: { type: 'boolean', default: false },
      },
    })
    const { words, daily } = values
    const [path, ...more] = positionals
    if (more.length > 0 || (daily && path !== undefined)) fail(USAGE)
    const name = words ? 'findtool-words' : daily || path !== undefined ? 'findtool' : 'findtool-all'
    return { name, words, rows: path === undefined ? ownRows(daily ? 'daily' : 'all') : givenRows(path) }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

await main()
