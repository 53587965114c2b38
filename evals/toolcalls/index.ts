import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fail, printFigures, readRows } from '../command-line.ts'
import { measureToolCalls } from './measure.ts'
import { ToolCallCase, type Engine } from './read-case.ts'

const USAGE = `Usage: node evals/toolcalls/index.ts [--engine local|server] [--seed n] [CASES.jsonl]
Without a file it reads evals/toolcalls/cases.jsonl, which are the repository's own cases.`

const OWN = fileURLToPath(new URL('cases.jsonl', import.meta.url))

/**
 * Reads every case in a file of labelled outputs as a chat does, through the strategy of its engine. Prints
 * what was found, one JSON line for each case, and finally the figures.
 */
async function main(args: string[]): Promise<void> {
  const { path, engine, seed } = readArguments(args)
  const cases = readRows(path, ToolCallCase)
  const { rows, figures } = await measureToolCalls(cases, engine, seed)
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures(`toolcalls-${path === OWN ? 'own-' : ''}${engine}`, figures)
}

function readArguments(args: string[]): { path: string; engine: Engine; seed: number } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        engine: { type: 'string', default: 'local' },
        seed: { type: 'string', default: '1' },
      },
    })
    const [seed, { engine }] = [Number(values.seed), values]
    if (positionals.length > 1 || !Number.isInteger(seed)) return fail(USAGE)
    if (engine !== 'local' && engine !== 'server') return fail(USAGE)
    return { path: positionals[0] ?? OWN, engine, seed }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}

await main(process.argv.slice(2))
