import { basename } from 'node:path'
import { formatOf } from '../models/formats/format-table.ts'
import { chatFacts } from '../models/describe-model.ts'
import { keepFileVerdict } from '../models/standing/standings.ts'
import { isFailure, type EngineFailure } from '../models/interface/engine.ts'
import { forkEngine } from '../models/engines/local/process/start-engine.ts'
import { readGguf, type GgufFacts } from '../models/engines/local/gguf/read-gguf.ts'
import { createLocalEngines, type LocalEngine } from '../models/engines/local/local-engine.ts'
import { availableMemory, estimateMemory, planMemory } from '../models/engines/local/planning/memory-plan.ts'
import { contextSize } from '../models/engines/local/planning/plan-load.ts'
import { describeTemplate } from '../models/engines/local/templates/model-format.ts'
import type { Usage } from '../../shared/contract/chats/messages.ts'
import { cannotBeUsed, judgeCalls, verdictOn } from './model-report.ts'
import type {
  CallReport,
  FormatReport,
  FileReport,
  Finding,
  MemoryReport,
  SpeedReport,
  TemplateReport,
} from './model-report.ts'
import { keepTalking } from './try-call.ts'
import { setDesk, TRIALS, tryTools, type Trying } from './try-tools.ts'

/** How the model is loaded; everything else is as in the product. */
export type Examination = { threads: 'auto' | number; contextTokens: number }

/** Minimum length of a reply, in tokens, for a meaningful speed. */
const tellingTokens = 32

/**
 * Test a model file: read it, load it into a separate engine, and make it call three tools, none of which is
 * executed. Yields each finding as soon as it is known, and a verdict at the end. If `signal` aborts, the
 * engine is stopped and the findings end.
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

/**
 * Store the verdict of an examined file, so that it is shown wherever the model is listed. Nothing is stored
 * if some calls were not tried.
 */
export async function keepExamined(
  home: string,
  path: string,
  calls: readonly CallReport[],
  report: (error: unknown) => void,
): Promise<void> {
  if (calls.length === TRIALS.length) await keepFileVerdict(home, path, verdictOn(calls, Date.now()), report)
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
  const { format, because, problem = null, rereads = null, refuses = null, ...read } = describeTemplate(facts)
  const { appendOnly, toolRole, thinking } = read
  return {
    template: { problem, appendOnly, toolRole, rereads, refuses, thinking },
    format: { id: formatOf(format).id, label: formatOf(format).label, because },
  }
}

/** Whether the model fits this computer; if it does not, the memory for one chat of the requested size. */
function describeMemory(facts: GgufFacts, wish: number): MemoryReport {
  const contextTokens = contextSize(facts, wish)
  const available = availableMemory()
  const plan = planMemory(facts, { contextTokens }, available)
  if (isFailure(plan)) {
    const estimate = estimateMemory(facts, { contextTokens, sequences: 1, mapFile: false })
    return { contextTokens, chats: 1, ...estimate, available, fits: false, notice: null }
  }
  const { estimate, sequences: chats, notice } = plan
  return { contextTokens: plan.contextTokens, chats, ...estimate, available, fits: true, notice }
}

async function* tryCalls(engine: LocalEngine, signal: AbortSignal): AsyncGenerator<Finding, void, void> {
  const usages: Usage[] = []
  const trying: Trying = {
    engine,
    begins: true,
    sessionId: 'doctor',
    onUsage: usage => usages.push(usage),
  }
  const steps = tryTools(trying, signal)
  let step = await steps.next()
  for (; !step.done; step = await steps.next()) if (step.value.kind === 'call') yield step.value
  const calls = step.value
  if (signal.aborted || !calls) return
  if (isFailure(calls)) return yield { kind: 'verdict', verdict: cannotBeUsed(calls) }
  if (!usages.some(usage => usage.outputTokens >= tellingTokens)) {
    const desk = await setDesk(trying)
    if (!isFailure(desk)) await keepTalking(desk, signal)
  }
  if (signal.aborted) return
  const speed = speedIn(usages)
  if (speed) yield { kind: 'speed', speed }
  yield { kind: 'verdict', verdict: judgeCalls(calls) }
}

/** The speeds of the longest prompt and the longest reply: short ones say little. */
function speedIn(usages: readonly Usage[]): SpeedReport | undefined {
  const read = usages.toSorted((a, b) => b.evaluatedTokens - a.evaluatedTokens)[0]
  const wrote = usages.toSorted((a, b) => b.outputTokens - a.outputTokens)[0]
  if (!read || !wrote) return undefined
  return { prefillPerSecond: read.prefillPerSecond, tokensPerSecond: wrote.tokensPerSecond }
}
