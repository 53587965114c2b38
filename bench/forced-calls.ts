import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createTextStrategy } from '../src/main/agent/strategies/text.ts'
import { formats, type FormatId } from '../src/main/models/formats/format-table.ts'
import { shortTexts } from '../src/main/doctor/try-call.ts'
import { forkEngine } from '../src/main/models/engines/local/start-engine.ts'
import { createLocalEngines, type LocalEngine } from '../src/main/models/engines/local/local-engine.ts'
import type { ToolSpec } from '../src/main/models/engine.ts'
import { createToolCallReader } from '../src/main/models/formats/reader/reader.ts'
import { coreTools } from '../src/main/tools/tool-lists.ts'
import { createRegistry } from '../src/main/tools/registry.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'

const hermesCalls = 200
const otherCalls = 6

/**
 * Calls of a model with random weights, begun for it and held to the grammar of one core tool in turn: how many are read
 * and valid. Its texts have no end of their own, so the schemas bound them.
 */
export async function benchForcedCalls(): Promise<Record<string, number>> {
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
  const registry = createRegistry(coreTools({ timeout_s: 30 }))
  const tools = registry
    .specs()
    .map(spec => ({ ...spec, parameters: shortTexts(spec.parameters) as ToolSpec['parameters'] }))
  const engine = engines.engine({ id: path, name: 'tiny', path })
  const ids = Object.keys(formats) as FormatId[]
  let valid = 0
  let others = 0
  try {
    for (let n = 0; n < hermesCalls; n++) valid += await forcedCall(engine, 'hermes', tools, n)
    for (const id of ids)
      for (let n = 0; n < otherCalls; n++) others += await forcedCall(engine, id, tools, n)
  } finally {
    await engines.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    forced_calls: hermesCalls,
    forced_calls_valid: valid,
    forced_calls_all_formats: ids.length * otherCalls,
    forced_calls_all_formats_valid: others,
  }
}

/** One call; 1 when it was read as a call of the tool and its arguments are valid. */
async function forcedCall(
  engine: LocalEngine,
  format: FormatId,
  tools: readonly ToolSpec[],
  n: number,
): Promise<number> {
  const tool = tools[n % tools.length]!
  const strategy = createTextStrategy({ format, toolRole: false, edition: 'compact' })
  const prompt = {
    sessionId: 'calls',
    messages: strategy.render(strategy.present([tool]), [
      { id: 1, sessionId: 'calls', at: 0, role: 'user', text: `Question ${n}` },
    ]),
    tools: [],
    begin: formats[format].open,
    constraints: strategy.constrain([tool]),
    maxTokens: 6_000,
    sampling: { temperature: 1, seed: n + 1 },
  }
  const reader = createToolCallReader({ tools: [tool] })
  const stop = new AbortController()
  for await (const event of engine.complete(prompt, stop.signal)) {
    if (event.type === 'failed') throw new Error(event.text)
    if (event.type === 'progress' || event.type === 'done') continue
    // What comes behind the call is babble, so the first call ends it.
    const found = event.type === 'text' ? reader.push(event.text) : []
    const call = [...found].find(each => each.type === 'call')
    if (call?.type === 'call') {
      stop.abort()
      return isValid(tool, call.arguments)
    }
  }
  const call = reader.end().find(each => each.type === 'call')
  return call?.type === 'call' ? isValid(tool, call.arguments) : 0
}

const ajv = new Ajv2020({ strict: false })
const isValid = (tool: ToolSpec, args: unknown): number => (ajv.validate(tool.parameters, args) ? 1 : 0)
