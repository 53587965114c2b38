import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, printFigures } from '../command-line.ts'
import { ownFiles, readCases, type Case } from './case.ts'
import type { RealModel, RealOptions } from './real-model.ts'

const USAGE = `Usage: npm run -s eval:learning -- [extra.jsonl ...] [--only] [--case <text>]
       npm run -s eval:learning -- --model <file.gguf> [--way chat|events] [--wait <seconds>]
       npm run -s eval:learning -- --server <base url> --server-model <name> [--key <api key>] …

Without a model, a scripted one looks back at every conversation, and everything must come about as the case says.
With one, it looks back instead, and precision and recall of what it keeps are reported.
--only leaves out the cases that come with Talaria. evals/learning/README.md says what a case is and what is measured.`

const options = {
  only: { type: 'boolean', default: false },
  case: { type: 'string', default: '' },
  model: { type: 'string' },
  server: { type: 'string' },
  'server-model': { type: 'string' },
  key: { type: 'string' },
  way: { type: 'string', default: 'chat' },
  wait: { type: 'string' },
} as const

/** Parse the arguments. Ends the program if they are invalid. */
function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`)
  }
}

type Values = ReturnType<typeof readArguments>['values']

function readModel({ model, server, key, ...values }: Values): RealModel | undefined {
  if (model !== undefined) return { file: resolve(model) }
  if (server === undefined) return undefined
  const name = values['server-model']
  if (name === undefined) return fail('--server needs --server-model.')
  if (!URL.canParse(server)) return fail(`${server} is no address of a server.`)
  return { baseUrl: server, model: name, ...(key !== undefined && { apiKey: key }) }
}

async function checkScripted(cases: readonly Case[]): Promise<void> {
  const { measureLearning } = await import('./measure-learning.ts')
  const { figures } = await measureLearning(cases, row => console.log(JSON.stringify(row)))
  printFigures('learning', figures)
  process.exitCode = figures['failed'] === 0 ? 0 : 1
}

async function measureModel(cases: readonly Case[], model: RealModel, how: Partial<RealOptions>) {
  const { explainMissing, measureRealModel, WAIT_MS } = await import('./real-model.ts')
  const { inWords, judgeFailures } = await import('./compare-kept.ts')
  const missing = await explainMissing(model)
  if (missing !== undefined) fail(`The model is not there: ${missing}`)
  const { rows, figures } = await measureRealModel(
    cases,
    model,
    { way: 'chat', waitMs: WAIT_MS, ...how },
    row => console.log(JSON.stringify(row)),
  )
  if (figures['reviewed'] === 0 && figures['failed'] === 0)
    fail('None of these cases has a review that is due.')
  console.log(inWords(rows))
  printFigures('learning-model', figures)
  process.exitCode = judgeFailures(figures)
}

const { values, positionals } = readArguments()
const { way, wait } = values
if (way !== 'chat' && way !== 'events') fail('--way is chat or events.')
const seconds = wait === undefined ? undefined : Number(wait)
if (seconds !== undefined && !(seconds > 0)) fail('--wait is a number of seconds.')
const cases = readCases([...(values.only ? [] : ownFiles()), ...positionals], values.case)
const model = readModel(values)
await (model
  ? measureModel(cases, model, { way, ...(seconds !== undefined && { waitMs: seconds * 1_000 }) })
  : checkScripted(cases))
