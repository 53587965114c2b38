import type { EngineState, ToolsTest, ToolsVerdict } from '../../shared/contract/models/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { newId } from '../lib/ids.ts'
import { isFailure, type EngineFailure, type LlmEngine } from '../models/interface/engine.ts'
import type { ModelIds } from '../models/files/model-ids.ts'
import type { LocalEngines } from '../models/engines/local/local-engine.ts'
import { judgeCalls, verdictOn } from './model-report.ts'
import { tryTools } from './try-tools.ts'

type Parts = {
  ids: Pick<ModelIds, 'idNow' | 'localOf'>
  /** The engine of a model, on this computer or on a server. */
  engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  local: Pick<LocalEngines, 'state' | 'engine' | 'unload' | 'forget'>
  /** Adds what every engine of the host gets, such as usage counting. */
  prepare(this: void, engine: LlmEngine): LlmEngine
  keepVerdict(this: void, id: string, verdict: ToolsVerdict): Promise<void>
  /** Called after a verdict was stored. */
  onVerdict(this: void): void
  now(this: void): number
}

const BUILTIN = 'builtin'
const SHIPPED = 'The built-in model was tested before its release, so you need not test it.'
const ANOTHER = 'Another model is being tested. Wait until that test ends, or stop it.'

/**
 * Create the function that tries the tools of a model as a chat would use them, and stores the verdict. A
 * local model is tried only while no other model is in memory, and is unloaded afterwards if the trial loaded
 * it. The built-in model makes room: it reloads within a second.
 */
export function createModelTrial(parts: Parts) {
  const { local, keepVerdict, onVerdict, now } = parts
  let isTrying = false

  async function* tryModel(given: string, signal: AbortSignal): AsyncGenerator<ToolsTest, void, void> {
    const id = parts.ids.idNow(given)
    const file = parts.ids.localOf(id)
    if (file?.demo) throw new Fault('bad_input', SHIPPED)
    if (isTrying) throw new Fault('busy', ANOTHER)
    const known = await parts.engineFor(id)
    if (isFailure(known)) throw notReady(known)
    const reason = file && whyNot(local.state, id)
    if (reason !== undefined) throw new Fault('busy', reason)
    const isLoaded = local.state.modelId === id && local.state.phase === 'ready'
    const spares = (loaded: string) => loaded !== BUILTIN
    const engine = file ? parts.prepare(local.engine({ ...file, name: known.name }, { spares })) : known
    const sessionId = newId('ask')
    isTrying = true
    try {
      if (file && !isLoaded) yield { step: 'loading' }
      yield* judged(id, { engine, begins: file !== undefined, sessionId }, signal)
    } finally {
      isTrying = false
      if (file) await local.forget(sessionId)
      // A chat may have started to use the model; then it is busy and stays loaded.
      const { phase, modelId } = local.state
      if (file && !isLoaded && modelId === id && phase === 'ready') await local.unload()
    }
  }

  async function* judged(
    id: string,
    asking: { engine: LlmEngine; begins: boolean; sessionId: string },
    signal: AbortSignal,
  ): AsyncGenerator<ToolsTest, void, void> {
    const steps = tryTools({ ...asking, onUsage: () => {} }, signal)
    let step = await steps.next()
    for (; !step.done; step = await steps.next()) {
      if (step.value.kind === 'asking') {
        const { kind: _, ...asked } = step.value
        yield { step: 'asking', ...asked }
      } else {
        const { tool, how, problem } = step.value.call
        yield { step: 'answered', tool, how, problem }
      }
    }
    const calls = step.value
    if (!calls || signal.aborted) return
    if (isFailure(calls)) throw notReady(calls)
    const verdict = verdictOn(calls, now())
    await keepVerdict(id, verdict)
    onVerdict()
    const { text, fix } = judgeCalls(calls, asking.begins ? 'begun' : 'told')
    yield { step: 'verdict', verdict, text, fix }
  }

  return tryModel
}

/** Why a local model cannot be tried now; undefined if it can. */
function whyNot({ phase, modelId, modelName }: EngineState, id: string): string | undefined {
  if (phase === 'busy') return `${modelName} is answering now. Test the model when that has ended.`
  if (phase === 'starting' || phase === 'loading')
    return `${modelName} is being loaded now. Test the model when no other one is in memory.`
  if (phase === 'ready' && modelId !== id && modelId !== BUILTIN)
    return `${modelName} is in memory, and a test never takes its place. Unload it first.`
  return undefined
}

const notReady = ({ text, fix, ...failure }: EngineFailure): Fault =>
  new Fault('not_ready', `${text} ${fix}`.trim(), { text, fix, ...failure })
