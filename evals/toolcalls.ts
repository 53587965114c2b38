import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createToolCallReader } from '../src/main/models/formats/reader/reader.ts'
import type { ToolShape } from '../src/main/models/formats/reader/known-tools.ts'
import { fail } from './command-line.ts'

const USAGE = 'Usage: node evals/toolcalls.ts <cases.jsonl> [--chunk whole|1|3|random] [--seed n]'

type Case = { id: string; tools: ToolShape[]; prompt_tail?: string; text: string }

/** Reads every case of a file of labelled outputs and prints what was found in it, one JSON line a case. */
function main(args: string[]): void {
  const { path, cut } = readArguments(args)
  for (const line of readLines(path)) console.log(JSON.stringify(resultOf(line, cut)))
}

function resultOf({ id, tools, prompt_tail: promptTail, text }: Case, cut: (text: string) => string[]) {
  const reader = createToolCallReader({ tools, promptTail })
  const events = [...cut(text).flatMap(chunk => reader.push(chunk)), ...reader.end()]
  const join = (type: 'text' | 'reasoning') =>
    events.map(event => (event.type === type ? event.text : '')).join('')
  const calls = events
    .filter(event => event.type === 'call')
    .map(call => ({ name: call.name, arguments: call.arguments }))
  return { id, content: join('text'), reasoning: join('reasoning') || null, calls }
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { chunk: { type: 'string', default: 'whole' }, seed: { type: 'string', default: '1' } },
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
    return cut ? { path: positionals[0]!, cut } : fail(USAGE)
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

main(process.argv.slice(2))
