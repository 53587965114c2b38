import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createTextStrategy } from '../src/main/agent/strategies/text.ts'
import { structuredStrategy } from '../src/main/agent/strategies/structured.ts'
import type { ToolCall } from '../src/shared/contract/messages.ts'
import type { CompletionEvent, ToolSpec } from '../src/main/models/engine.ts'
import { fail } from './command-line.ts'

const USAGE =
  'Usage: node evals/toolcalls.ts <cases.jsonl> [--engine local|server] [--chunk whole|1|3|random] [--seed n]'

type Case = { id: string; tools: ToolSpec[]; prompt_tail?: string; text: string; truncated?: boolean }

/**
 * Reads every case of a file of labelled outputs as a chat does, through the strategy of its engine, and prints what was found in it,
 * one JSON line a case; `refused` are calls that the model is asked to write again, with what it is told. The local engine knows what the end of the prompt leaves open; a server does not say it.
 */
async function main(args: string[]): Promise<void> {
  const { path, cut, engine } = readArguments(args)
  for (const line of readLines(path)) console.log(JSON.stringify(await resultOf(line, cut, engine)))
}

const STRATEGIES = {
  local: createTextStrategy({ format: 'hermes', toolRole: true, edition: 'full' }),
  server: structuredStrategy,
}
type Engine = keyof typeof STRATEGIES

const USED = {
  promptTokens: 0,
  reusedTokens: 0,
  evaluatedTokens: 0,
  outputTokens: 0,
  contextTokens: 0,
  firstTokenMs: 0,
  prefillPerSecond: 0,
  tokensPerSecond: 0,
}

async function* eventsOf(each: Case, cut: (text: string) => string[], engine: Engine) {
  const events: CompletionEvent[] = [
    ...(engine === 'local' ? [{ type: 'prompt_end', text: each.prompt_tail ?? '' } as const] : []),
    ...cut(each.text).map(text => ({ type: 'text', text }) as const),
    { type: 'done', stop: each.truncated ? 'length' : 'end', usage: USED },
  ]
  yield* events
}

async function resultOf(each: Case, cut: (text: string) => string[], engine: Engine) {
  let [content, reasoning] = ['', '']
  let calls: Pick<ToolCall, 'name' | 'arguments'>[] = []
  let refused: string[] = []
  for await (const event of STRATEGIES[engine].read(eventsOf(each, cut, engine), each.tools)) {
    if (event.type === 'text') content += event.text
    if (event.type === 'reasoning') reasoning += event.text
    if (event.type === 'thought') [content, reasoning, calls] = ['', event.text, []]
    if (event.type === 'thought') refused = []
    if (event.type === 'call') calls.push({ name: event.call.name, arguments: event.call.arguments })
    if (event.type === 'bad_call') refused.push(event.reason)
  }
  return { id: each.id, content, reasoning: reasoning || null, calls, ...(refused.length > 0 && { refused }) }
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        chunk: { type: 'string', default: 'whole' },
        engine: { type: 'string', default: 'local' },
        seed: { type: 'string', default: '1' },
      },
    })
    const seed = Number(values.seed)
    if (positionals.length !== 1 || !Number.isInteger(seed)) return fail(USAGE)
    const cuts: Record<string, (text: string) => string[]> = {
      whole: text => [text],
      1: text => text.split(''),
      3: text => text.match(/[^]{1,3}/g) ?? [],
      random: cutAtRandom(seed),
    }
    const cut = Object.hasOwn(cuts, values.chunk) ? cuts[values.chunk] : undefined
    const { engine } = values
    if (engine !== 'local' && engine !== 'server') return fail(USAGE)
    return cut ? ({ path: positionals[0]!, cut, engine } as const) : fail(USAGE)
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

function readLines(path: string): Case[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter(line => line.trim() !== '').map(parseCase)
  } catch (error) {
    return fail(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function parseCase(line: string): Case {
  const value = JSON.parse(line) as Case
  if (typeof value.text !== 'string' || !Array.isArray(value.tools)) throw new Error('a line is not a case')
  return value
}

/** Chunks of 1 to 12 characters, the same for the same seed. */
function cutAtRandom(seed: number) {
  let state = seed >>> 0
  const next = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % limit
  }
  return (text: string): string[] => {
    const chunks: string[] = []
    for (let at = 0; at < text.length; at += chunks.at(-1)!.length)
      chunks.push(text.slice(at, at + 1 + next(12)))
    return chunks
  }
}

await main(process.argv.slice(2))
