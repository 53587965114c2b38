import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readCases, type Case } from './learning/case.ts'
import { summarise, type Measured } from './learning/measure.ts'
import { measureCase, runCase, type RealModel, type Result } from './learning/run-case.ts'

const USAGE = `Usage: npm run -s eval:learning -- [extra.jsonl ...] [--only] [--case <text>] [--json]
       npm run -s eval:learning -- --model <file.gguf> | --server <base url> --server-model <name> [--key <api key>]

Without a model, a scripted one looks back at every conversation, and everything must come about as the case says.
With one, the same conversations are shown to it, and precision and recall of what it would keep are reported.
--only leaves out the cases that come with Talaria. The form of a case is described in evals/learning/README.md.`

/** Run the evaluation of the learning loop; 1 when anything is not as it should be. */
async function main(args: string[]): Promise<number> {
  const { cases, real, json } = readArguments(args)
  return real ? report(cases, real, json) : check(cases, json)
}

async function check(cases: readonly Case[], json: boolean): Promise<number> {
  const results: Result[] = []
  for (const each of cases)
    for (const way of each.ways) {
      const result = await runCase(each, way)
      results.push(result)
      if (!json) console.log(lineOf(result))
    }
  const passed = results.filter(each => each.wrong.length === 0).length
  const summary = { cases: cases.length, runs: results.length, passed, failed: results.length - passed }
  if (json) console.log(JSON.stringify({ ...summary, kinds: byKind(results), results }))
  else {
    for (const [kind, { passed: good, runs }] of Object.entries(byKind(results)))
      console.log(`  ${kind}: ${good} of ${runs}`)
    console.log(
      `${summary.cases} conversations, ${summary.runs} runs: ${passed} as they should be, ${summary.failed} not.`,
    )
  }
  return summary.failed === 0 && summary.runs > 0 ? 0 : 1
}

function lineOf({ id, way, wrong, ms }: Result): string {
  const verdict = wrong.length === 0 ? 'ok  ' : 'FAIL'
  return [`${verdict} ${id} (${way}, ${ms} ms)`, ...wrong.map(each => `       ${each}`)].join('\n')
}

function byKind(results: readonly Result[]): Record<string, { passed: number; runs: number }> {
  const kinds: Record<string, { passed: number; runs: number }> = {}
  for (const { kind, wrong } of results) {
    const known = (kinds[kind] ??= { passed: 0, runs: 0 })
    known.runs++
    if (wrong.length === 0) known.passed++
  }
  return kinds
}

async function report(cases: readonly Case[], real: RealModel, json: boolean): Promise<number> {
  const all: Measured[] = []
  for (const each of cases.filter(one => one.mode !== 'off')) {
    const measured = await measureCase(each, real)
    all.push(measured)
    if (json) continue
    const { id, found, wanted, kept, forbidden, texts, ms, failed } = measured
    console.log(
      `${id} (${ms} ms): found ${found} of ${wanted}, kept ${kept}${failed === null ? '' : `; ${failed}`}`,
    )
    for (const text of texts) console.log(`       ${text.replace(/\s+/g, ' ').slice(0, 100)}`)
    if (forbidden.length > 0) console.log(`       must never be kept: ${forbidden.join(', ')}`)
  }
  const summary = summarise(all)
  if (json) console.log(JSON.stringify({ ...summary, results: all }))
  else
    console.log(
      `${summary.conversations} conversations: precision ${inShort(summary.precision)}, recall ${inShort(summary.recall)}, ` +
        `silent where nothing was worth keeping ${inShort(summary.quiet)}, ${summary.forbidden} things kept that never may be, ` +
        `${summary.failed} failed, ${Math.round(summary.ms / 1_000)} s.`,
    )
  return 0
}

const inShort = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 1_000) / 10} %`

function readArguments(args: string[]): { cases: Case[]; real: RealModel | undefined; json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        case: { type: 'string' },
        model: { type: 'string' },
        server: { type: 'string' },
        'server-model': { type: 'string' },
        key: { type: 'string' },
      },
    })
    const folder = join(import.meta.dirname, 'learning')
    const own = readdirSync(folder)
      .filter(name => name.endsWith('.jsonl'))
      .toSorted()
    const paths = [...(values.only ? [] : own.map(name => join(folder, name))), ...positionals]
    const cases = paths.flatMap(readCases).filter(each => each.id.includes(values.case ?? ''))
    const twice = cases.find((each, index) => cases.findIndex(other => other.id === each.id) !== index)
    if (twice) throw new Error(`Two cases are called ${twice.id}.`)
    return { cases, real: realModel(values), json: values.json }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(2)
  }
}

function realModel(values: {
  model?: string | undefined
  server?: string | undefined
  'server-model'?: string | undefined
  key?: string | undefined
}): RealModel | undefined {
  if (values.model !== undefined) return { file: resolve(values.model) }
  if (values.server === undefined) return undefined
  const { server: baseUrl, 'server-model': model, key: apiKey } = values
  if (model === undefined) throw new Error('--server needs --server-model.')
  return { baseUrl, model, ...(apiKey !== undefined && { apiKey }) }
}

process.exitCode = await main(process.argv.slice(2))
