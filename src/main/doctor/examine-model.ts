import { basename } from 'node:path'
import { buildPrompt, joinSections } from '../agent/prompt.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import { formats, fallbackFormat } from '../models/formats/format-table.ts'
import { chatFacts } from '../models/describe-model.ts'
import { isFailure, type EngineFailure, type ModelProfile } from '../models/engine.ts'
import { forkEngine } from '../models/engines/local/start-engine.ts'
import { readGguf, type GgufFacts } from '../models/engines/local/read-gguf.ts'
import { createLocalEngines, type LocalEngine } from '../models/engines/local/local-engine.ts'
import { availableMemory, estimateMemory, planMemory } from '../models/engines/local/memory-plan.ts'
import { contextSize } from '../models/engines/local/plan-load.ts'
import { describeTemplate } from '../models/engines/local/model-format.ts'
import { coreTools } from '../tools/tool-lists.ts'
import { createRegistry } from '../tools/registry.ts'
import type { Usage } from '../../shared/contract/messages.ts'
import { cannotBeUsed, judgeCalls } from './report.ts'
import type {
  CallReport,
  FormatReport,
  FileReport,
  Finding,
  MemoryReport,
  SpeedReport,
  TemplateReport,
} from './report.ts'
import { keepTalking, tryCall, type Desk, type Trial } from './try-call.ts'

/** How the model is loaded; everything else is as in the product. */
export type Examination = { threads: 'auto' | number; contextTokens: number }

const trials: readonly Trial[] = [
  { tool: 'read_file', also: ['terminal'], question: 'Read the file notes.txt and tell me what it says.' },
  { tool: 'list_files', also: ['terminal'], question: 'Which files are in this folder?' },
  { tool: 'terminal', question: 'Run the command "date" and tell me what it says.' },
]

/** Shortest reply, in tokens, for a meaningful speed. */
const tellingTokens = 32

/**
 * Test a model file: read it, load it into a separate engine, and make it call three tools, none
 * of which is executed. Yields each finding as soon as it is known, and a verdict at the end. When `signal` aborts, the engine is
 * ended and so is the sequence.
 */
export async function* examineModel(
  path: string,
  { threads, contextTokens }: Examination,
  signal: AbortSignal,
): AsyncGenerator<Finding, void, void> {
  const facts = await readChatModel(path)
  if (isFailure(facts)) return yield { kind: 'verdict', verdict: cannotBeUsed(facts) }
  yield { kind: 'file', file: describeFile(facts) }
  yield { kind: 'template', ...describeSpeech(facts) }
  yield { kind: 'memory', memory: describeMemory(facts, contextTokens) }
  if (signal.aborted) return

  const engines = createLocalEngines({
    spawn: forkEngine,
    settings: () => ({
      context_tokens: contextTokens,
      threads,
      hosting: 'process',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: () => {},
    report: () => {},
  })
  const stop = () => void engines.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const model = { id: path, name: basename(path), path }
    const startedAt = performance.now()
    const failure = await engines.load(model)
    if (signal.aborted) return
    if (failure) return yield { kind: 'verdict', verdict: cannotBeUsed(failure) }
    const seconds = (performance.now() - startedAt) / 1_000
    yield { kind: 'loading', loading: { seconds, contextTokens: engines.state.contextTokens ?? 0 } }
    yield* tryCalls(engines.engine(model), signal)
  } finally {
    signal.removeEventListener('abort', stop)
    await engines.close()
  }
}

/** The metadata of the file, or why it is not a chat model. */
async function readChatModel(path: string): Promise<GgufFacts | EngineFailure> {
  const facts = await readGguf(path, { checkVocabulary: true })
  if (isFailure(facts)) return facts
  const suited = await chatFacts(() => Promise.resolve(facts))(path)
  return isFailure(suited) ? suited : facts
}

function describeFile({
  path,
  name,
  architecture,
  parameters,
  sizeBytes,
  trainedTokens,
}: GgufFacts): FileReport {
  const quantisation = /(?<![a-z0-9])(i?q\d\w*|b?f16|f32)(?![a-z0-9])/i.exec(basename(path))?.[1] ?? null
  const bitsPerWeight = parameters > 0 ? (sizeBytes * 8) / parameters : 0
  return { path, name, architecture, parameters, quantisation, bitsPerWeight, sizeBytes, trainedTokens }
}

function describeSpeech(facts: GgufFacts): { template: TemplateReport; format: FormatReport } {
  const { format, because, problem = null, appendOnly, toolRole } = describeTemplate(facts)
  return {
    template: { problem, appendOnly, toolRole },
    format: { id: format, label: formats[format].label, because },
  }
}

/** How it fits into this computer; if it does not, what one chat of the requested size would need. */
function describeMemory(facts: GgufFacts, wish: number): MemoryReport {
  const contextTokens = contextSize(facts, wish)
  const available = availableMemory()
  const plan = planMemory(facts, contextTokens, available)
  if (isFailure(plan)) {
    const estimate = estimateMemory(facts, { contextTokens, sequences: 1, mapFile: false })
    return { contextTokens, chats: 1, ...estimate, available, fits: false, notice: null }
  }
  const { estimate, sequences: chats, notice } = plan
  return { contextTokens: plan.contextTokens, chats, ...estimate, available, fits: true, notice }
}

async function* tryCalls(engine: LocalEngine, signal: AbortSignal): AsyncGenerator<Finding, void, void> {
  const profile = await engine.profile()
  if (isFailure(profile)) return yield { kind: 'verdict', verdict: cannotBeUsed(profile) }
  const usages: Usage[] = []
  const desk = setDesk(engine, profile, usage => usages.push(usage))
  const calls: CallReport[] = []
  for (const trial of trials) {
    const call = await tryCall(desk, trial, signal)
    if (signal.aborted || !call) return
    if (isFailure(call)) return yield { kind: 'verdict', verdict: cannotBeUsed(call) }
    calls.push(call)
    yield { kind: 'call', call }
  }
  if (!usages.some(usage => usage.outputTokens >= tellingTokens)) await keepTalking(desk, signal)
  if (signal.aborted) return
  const speed = speedIn(usages)
  if (speed) yield { kind: 'speed', speed }
  yield { kind: 'verdict', verdict: judgeCalls(calls) }
}

/** The speeds of the longest prompt and of the longest reply: short ones say little. */
function speedIn(usages: readonly Usage[]): SpeedReport | undefined {
  const read = usages.toSorted((a, b) => b.evaluatedTokens - a.evaluatedTokens)[0]
  const wrote = usages.toSorted((a, b) => b.outputTokens - a.outputTokens)[0]
  if (!read || !wrote) return undefined
  return { prefillPerSecond: read.prefillPerSecond, tokensPerSecond: wrote.tokensPerSecond }
}

/** The prompt and the tools of a chat in an empty home, in the short edition. */
function setDesk(engine: LocalEngine, profile: ModelProfile, onUsage: Desk['onUsage']): Desk {
  const { format = fallbackFormat, toolRole = false } = profile
  const registry = createRegistry(coreTools({ timeout_s: 30 }))
  const tools = registry.specs()
  const strategy = createTextStrategy({ format, toolRole, edition: 'compact' })
  const system = joinSections(
    buildPrompt({
      edition: 'compact',
      soul: '',
      toolText: strategy.present(tools),
      tools,
      workspace: process.cwd(),
      project: [],
      memory: undefined,
      skills: '',
      style: '',
      today: new Date(),
    }),
  )
  return { engine, strategy, system, registry, tools, opening: formats[format].open, onUsage }
}
