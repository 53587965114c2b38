import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createTextStrategy } from '../src/main/agent/strategies/text.ts'
import { formats, type FormatId } from '../src/main/models/formats/format-table.ts'
import { forkEngine } from '../src/main/models/engines/local/process/start-engine.ts'
import { createLocalEngines, type LocalEngine } from '../src/main/models/engines/local/local-engine.ts'
import type { ToolSpec } from '../src/main/models/interface/engine.ts'
import { createToolCallReader } from '../src/main/models/formats/reader/call-reader.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { formOf, fullTools, trainedTools } from './chat-tools.ts'
import type { Measured } from './run-parts.ts'

/**
 * The number of tries: in the format of Hermes, in each of all formats, and with the tools of the built-in
 * model.
 */
const usual = { hermes: 200, each: 6, basic: 30 }
/** Random weights may never end a text. A text that has not ended after so many tokens has called nothing. */
const mostTokens = 150

/**
 * Calls of a model with random weights. Each call is begun for the model and held to the grammar of one tool,
 * with the tool's schema as in chats. Counted are how many calls ended, and how many of those were read and
 * valid: in the form for larger models, and separately in the form for the built-in model.
 */
export async function benchForcedCalls(calls = usual): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-calls-'))
  const path = join(folder, 'tiny.gguf')
  makeRandomGguf(path, { preset: 'tiny' })
  const engines = createLocalEngines({
    spawn: forkEngine,
    settings: () => ({
      context_tokens: 8_192,
      threads: 1,
      hosting: 'process',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: () => {},
    report: error => process.stderr.write(`${String(error)}\n`),
  })
  const tools = fullTools()
  const basic = trainedTools()
  const engine = engines.engine({ id: path, name: 'tiny', path })
  const ids = Object.keys(formats) as FormatId[]
  const tries = (format: FormatId, given: readonly ToolSpec[], length: number) =>
    Array.from({ length }, (_, n) => ({ format, given, n }))
  const count = async (tried: ReturnType<typeof tries>): Promise<Record<Outcome, number>> => {
    const counts = { valid: 0, invalid: 0, unended: 0 }
    for (const { format, given, n } of tried) counts[await forcedCall(engine, format, given, n)]++
    return counts
  }
  try {
    return {
      forced_calls_tools: formOf('full', tools),
      ...named('forced_calls', await count(tries('hermes', tools, calls.hermes))),
      ...named('forced_calls_all_formats', await count(ids.flatMap(id => tries(id, tools, calls.each)))),
      forced_calls_basic_tools: formOf('trained', basic),
      ...named('forced_calls_basic', await count(tries('hermes', basic, calls.basic))),
    }
  } finally {
    await engines.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The result of a try. `unended`: the model called nothing. */
type Outcome = 'valid' | 'invalid' | 'unended'

const named = (name: string, { valid, invalid, unended }: Record<Outcome, number>) => ({
  [`${name}_ended`]: valid + invalid,
  [`${name}_valid`]: valid,
  [`${name}_unended`]: unended,
})

/** One try. It is valid when it was read as a call of the tool and its arguments fit the tool's schema. */
async function forcedCall(
  engine: LocalEngine,
  format: FormatId,
  tools: readonly ToolSpec[],
  n: number,
): Promise<Outcome> {
  const tool = tools[n % tools.length]!
  const strategy = createTextStrategy({ format, toolRole: false, edition: 'full' })
  const prompt = {
    sessionId: 'calls',
    messages: strategy.render(strategy.present([tool]), [
      { id: 1, sessionId: 'calls', at: 0, role: 'user', text: `Question ${n}` },
    ]),
    tools: [],
    begin: formats[format].open,
    constraints: strategy.constrain([tool]),
    maxTokens: mostTokens,
    sampling: { temperature: 1, seed: n + 1 },
  }
  const reader = createToolCallReader({ tools: [tool] })
  const stop = new AbortController()
  let truncated = false
  for await (const event of engine.complete(prompt, stop.signal)) {
    if (event.type === 'failed') throw new Error(event.text)
    if (event.type === 'done' && event.stop === 'length') truncated = true
    if (event.type === 'progress' || event.type === 'done') continue
    // The text after the call means nothing, so the first call ends the try.
    const found = event.type === 'text' ? reader.push(event.text) : []
    const call = [...found].find(each => each.type === 'call')
    if (call?.type === 'call') {
      stop.abort()
      return isValid(tool, call.arguments)
    }
  }
  const call = reader.end({ truncated }).find(each => each.type === 'call')
  if (call?.type === 'call') return isValid(tool, call.arguments)
  return truncated ? 'unended' : 'invalid'
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const isValid = (tool: ToolSpec, args: unknown): Outcome =>
  ajv.validate(tool.parameters, args) ? 'valid' : 'invalid'
