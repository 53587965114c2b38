import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Figures } from '../records.ts'
import { fail, printFigures } from '../command-line.ts'
import { explainUnusable, type AskedModel } from './ask-host.ts'
import { ENDS, type JudgedRow } from './judge.ts'
import { measureSmall } from './measure.ts'
import { readRequests } from './row.ts'

const USAGE = `Usage: npm run -s eval:small -- MODEL.gguf|builtin [--requests FILE.jsonl]… [--folder DIR|empty] [--every N] [--json]
  --requests: rows {id, text, expect: {tool: name or list, arguments?} | null, folder?: full or empty}; may be given several times
  --folder: the folder of every chat is a copy of this one, in place of what its row says
  --every: only each Nth row, the first one included      --json: nothing but lines of JSON`

const OWN = fileURLToPath(new URL('requests.jsonl', import.meta.url))

/** Asks a model each request in a new chat, prints what came of each and a summary; it ends with 0 when that could be done. */
async function main(): Promise<void> {
  const { model, files, folder, every, asJson } = readArguments()
  const requests = readRequests(files).filter((_, at) => at % every === 0)
  const problem = await explainUnusable(model)
  if (problem !== undefined) fail(problem)
  const { figures, seconds } = await measureSmall(requests, model, {
    folder,
    onRow: row => console.log(asJson ? JSON.stringify(row) : inWords(row)),
  })
  if (asJson) console.log(JSON.stringify({ secondsEach: seconds }))
  else console.log(`\n${summarise(figures)}\n${seconds} s a request.`)
  printFigures(nameOf(files, every), figures)
}

/** The name of the record; there is one of each set of requests, and one of a sample. */
const nameOf = (files: readonly string[], every: number): string =>
  every !== 1 ? 'small-sample' : files.some(each => each.endsWith('fresh.jsonl')) ? 'small-fresh' : 'small'

function readArguments(): {
  model: AskedModel
  files: string[]
  folder: string | undefined
  every: number
  asJson: boolean
} {
  try {
    const { values, positionals } = parseArgs({
      options: {
        requests: { type: 'string', multiple: true, default: [OWN] },
        folder: { type: 'string' },
        every: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const [model, ...more] = positionals
    const every = Number(values.every)
    if (model === undefined || more.length > 0 || !Number.isInteger(every) || every < 1) return fail(USAGE)
    return {
      model: model === 'builtin' ? model : { file: readModel(model) },
      files: values.requests,
      folder: readFolder(values.folder),
      every,
      asJson: values.json,
    }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

function readModel(given: string): string {
  const path = resolve(given)
  return existsSync(path) ? path : fail(`There is no model at ${path}.`)
}

function readFolder(given: string | undefined): string | undefined {
  if (given === undefined || given === 'empty') return given
  const path = resolve(given)
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? path
    : fail(`There is no folder at ${path}.`)
}

const inWords = ({ id, right, asked, tool, arguments: given, ran, ended, answer }: JudgedRow): string =>
  [
    `${id}: ${right === 'no' ? 'wrong' : right === 'at once' ? 'right at once' : 'right after a question'}, ${ended}`,
    `  ${asked ? 'asked, then ' : ''}${tool === null ? 'no call' : `${tool} ${JSON.stringify(given)}${ran ? '' : ' (not run)'}`}`,
    `  ${answer.replaceAll('\n', '\n  ')}`,
  ].join('\n')

/** The figures in sentences; those of each end that came to pass. */
function summarise(of: Figures): string {
  const ends = ENDS.flatMap(end => (of[end] ? [`${of[end]} ${end}`] : []))
  return [
    `Of ${of['wantTool']} that want a tool, ${of['called']} were answered with a call.`,
    `The right tool came at once for ${of['toolAtOnce']}, after one question for ${of['toolAfterQuestion']}; with its arguments for ${of['rightAtOnce']} and ${of['rightAfterQuestion']} (${of['rightShare']} %).`,
    `Of ${of['wantNone']} that want none, ${of['calledUnwanted']} were answered with a call, and ${of['askedUnwanted']} with a question.`,
    `Of ${of['either']} where both are right, ${of['eitherWrong']} were answered with another call.`,
    `They ended: ${ends.join(', ')}.`,
    `An answer has ${of['charsMedian']} characters (median), at most ${of['charsMost']}.`,
  ].join('\n')
}

await main()
