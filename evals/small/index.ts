import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scriptedModel } from '../../testing/gguf/cached.ts'
import { enginesByModel } from '../../testing/golden/engines-by-model.ts'
import { scriptedEngineChild } from '../../testing/golden/scripted-engine-child.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import type { Figures } from '../records.ts'
import { fail, printFigures } from '../command-line.ts'
import { explainUnusable, type AskedModel } from './ask-host.ts'
import { ENDS, type JudgedRow } from './judge.ts'
import { DECIDER_KINDS, startDeciders, stepOf, type DeciderKind } from './deciders.ts'
import { measureDecider, sayDecided } from './measure-decider.ts'
import { measureSmall } from './measure.ts'
import { readRequests, type RequestRow } from './row.ts'

const USAGE = `Usage: npm run -s eval:small -- --model MODEL.gguf|builtin|dull [--decider both|encoder|mini|none] [--calls] [--requests FILE.jsonl]… [--folder DIR|empty] [--every N] [--json]
       npm run -s eval:small -- --decider both|encoder|mini [--requests FILE.jsonl]… [--every N] [--json]
  --model: what answers; it may stand without the option as well. “dull” calls nothing and writes no arguments: what the decider does alone
  --decider: both is the product's, switched on in every chat; encoder and mini are half of it; none switches it off. Without a model,
    what it decides is judged alone
  --calls: only the first call of each chat is judged, and no chat goes on to an answer
  --requests: rows {id, text, expect: {tool: name or list, arguments?} | null, folder?: full or empty}; may be given several times
  --folder: the folder of every chat is a copy of this one, in place of what its row says
  --every: only each Nth row, the first one included      --json: nothing but lines of JSON`

const DECIDERS = [...DECIDER_KINDS, 'none'] as const

/**
 * The answer of a model that calls nothing by itself, and writes no arguments when a call is begun for it.
 */
const DULL = 'I am only a model.'

const OWN = fileURLToPath(new URL('requests.jsonl', import.meta.url))

/**
 * Asks a model each request in a new chat. Prints the result of each and a summary. Ends with 0 if that was
 * possible.
 */
async function main(): Promise<void> {
  const { model: asked, files, folder, every, asJson, decider, callsOnly } = readArguments()
  const requests = readRequests(files).filter((_, at) => at % every === 0)
  if (asked === undefined) return judgeDecider(requests, decider === 'none' ? undefined : decider, asJson)
  const model = asked === 'dull' ? { file: scriptedModel() } : asked
  const problem = asked === 'dull' ? undefined : await explainUnusable(model)
  if (problem !== undefined) fail(problem)
  const half = decider === 'encoder' || decider === 'mini' ? startDeciders() : undefined
  const { figures, seconds } = await measureSmall(requests, model, {
    folder,
    callsOnly,
    ...(asked === 'dull' && {
      spawnEngine: enginesByModel({ small: forkEngine, others: scriptedEngineChild(() => DULL) }),
    }),
    decider: decider && (decider === 'both' ? 'on' : 'off'),
    steps: half && [stepOf(half, decider === 'mini' ? 'mini' : 'encoder')],
    onRow: row => console.log(asJson ? JSON.stringify(row) : inWords(row)),
  })
  await half?.close()
  if (asJson) console.log(JSON.stringify({ secondsEach: seconds }))
  else console.log(`\n${callsOnly ? sayCalls(figures) : summarise(figures)}\n${seconds} s a request.`)
  printFigures(callsOnly ? 'small-calls' : nameOf(files, every), figures)
}

/** The name of the record. Each set of requests has one, and a sample has one. */
const nameOf = (files: readonly string[], every: number): string =>
  every !== 1 ? 'small-sample' : files.some(each => each.endsWith('fresh.jsonl')) ? 'small-fresh' : 'small'

function readArguments(): {
  /** The model; undefined if only the decider is judged. */
  model: AskedModel | 'dull' | undefined
  decider: DeciderKind | 'none' | undefined
  files: string[]
  folder: string | undefined
  every: number
  asJson: boolean
  callsOnly: boolean
} {
  try {
    const { values, positionals } = parseArgs({
      options: {
        requests: { type: 'string', multiple: true, default: [OWN] },
        folder: { type: 'string' },
        every: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
        decider: { type: 'string' },
        model: { type: 'string' },
        calls: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const [model, ...more] = [values.model ?? [], positionals].flat()
    const every = Number(values.every)
    const decider = DECIDERS.find(each => each === values.decider)
    const needed = model === undefined ? DECIDER_KINDS : [...DECIDERS, undefined]
    const isUsable = decider === values.decider && needed.some(each => each === decider)
    if (!isUsable || more.length > 0 || !Number.isInteger(every) || every < 1) return fail(USAGE)
    return {
      decider,
      model:
        model === undefined
          ? undefined
          : model === 'builtin' || model === 'dull'
            ? model
            : { file: readModel(model) },
      files: values.requests,
      folder: readFolder(values.folder),
      every,
      asJson: values.json,
      callsOnly: values.calls,
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

/** The figures in sentences, with those of each end that occurred. */
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

/** The figures of calls in sentences. */
const sayCalls = (of: Figures): string =>
  [
    `Whether a tool is needed was right for ${of['neededRight']} of ${of['requests']} (${of['neededShare']} %).`,
    `Of ${of['wantTool']} that want a tool, ${of['toolRight']} got the right one (${of['toolShare']} %), and ${of['wholeRight']} with its arguments (${of['wholeShare']} %).`,
    `Of the wrong calls, ${of['wrongAsked']} asked and were denied, ${of['wrongReads']} read something, and ${of['wrongActs']} wrote or ran something.`,
  ].join('\n')

/** Judge the decider's answer to each request, without a chat. */
async function judgeDecider(
  requests: readonly RequestRow[],
  kind: DeciderKind = 'both',
  asJson: boolean,
): Promise<void> {
  const { rows, figures, msEach, memoryMib = 0 } = await measureDecider(requests, kind)
  for (const row of rows) if (asJson || !row.whole) console.log(JSON.stringify(row))
  console.log(
    asJson
      ? JSON.stringify({ ...figures, msEach, memoryMib })
      : `${sayDecided(figures)}\n${msEach} ms a request; its processes had ${memoryMib} MiB at most.`,
  )
}

await main()
