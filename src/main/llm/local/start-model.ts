import { entryPath } from '../../lib/places.ts'
import type { SpawnEngine } from '../../host-types.ts'
import { isFailure } from '../engine.ts'
import type { EngineFailure, Sampling } from '../engine.ts'
import { openLink } from './engine-link.ts'
import type { EngineLink } from './engine-link.ts'
import { isDemo } from './demo-model.ts'
import type { GgufFacts } from './gguf-file.ts'
import { startInlineEngine } from './inline-engine.ts'
import { flashAttention } from './flash-attention.ts'
import { availableMemory, planMemory } from './memory-plan.ts'
import type { MemoryPlan } from './memory-plan.ts'
import type { LocalModel, ReadyModel, StartModel } from './model-slot.ts'
import type { LoadRequest } from './protocol.ts'
import { stateFolderFor } from './state-folder.ts'
import { settledOrAborted } from './turns.ts'

export { flashAttention } from './flash-attention.ts'

/** What the settings say about the engine. */
export type EngineSettings = {
  context_tokens: number
  threads: 'auto' | number
  hosting: 'process' | 'inline'
  gpu: boolean
  state_cache_gib: number
  idle_unload_minutes: number
}

type Parts = {
  spawn: SpawnEngine
  settings: EngineSettings
  read: (path: string, options?: { checkVocabulary?: boolean }) => Promise<GgufFacts | EngineFailure>
  report: (error: unknown) => void
  cacheFolder?: string
  availableMemory?: () => number
}

/** Starts engines, and knows beforehand what a model will be loaded with. */
export type ModelStarter = {
  start: StartModel
  /** The context that a model has, or would get if it were loaded now. */
  contextTokens(facts: GgufFacts): number | EngineFailure
}

/**
 * Make what starts an engine and loads a model into it. The engine has a process of its own; where that cannot start, it
 * runs inside this one from then on.
 */
export function createStartModel({ spawn, settings, read, report, ...parts }: Parts): ModelStarter {
  let { hosting } = settings
  const freeBytes = parts.availableMemory ?? availableMemory
  const measuredThreads = new Map<string, number>()
  /** What the engine that is there was given; all of it is free again before the next one starts. */
  let given: { path: string; plan: Plan } | undefined

  const openEngine = async (): Promise<EngineLink | undefined> => {
    let child
    try {
      child =
        hosting === 'inline' ? startInlineEngine() : spawn(entryPath('engine-process'), engineEnvironment())
    } catch (error) {
      report(error)
      return undefined
    }
    const link = openLink(child)
    if (await link.hello) return link
    await link.end()
    return undefined
  }

  const moveInside = (reason: unknown) => {
    hosting = 'inline'
    report(reason)
  }

  const attempt: StartModel = async (model, signal, show) => {
    const isInline = hosting === 'inline'
    // A file that makes the native code give up would end this process as well.
    const facts = await read(model.path, { checkVocabulary: isInline })
    if (isFailure(facts)) return facts
    const plan = planFor(facts, settings, freeBytes())
    if (isFailure(plan)) return plan
    const states = await stateFolderFor(parts.cacheFolder, settings.state_cache_gib, facts)
    const request: LoadRequest = { ...requestFor(facts, settings, plan), states }
    if (request.threads === 'auto') request.threads = measuredThreads.get(threadsKey(facts)) ?? 'auto'
    if (signal.aborted) return 'stopped'

    show.hosting(hosting)
    const link = await openEngine()
    if (!link && isInline) return cannotStart
    if (!link) {
      moveInside(new Error('The engine process did not start; the engine runs inside the host from now on.'))
      return attempt(model, signal, show)
    }
    show.loading(0)
    const mine = { path: facts.path, plan }
    given = mine
    void link.ended.then(() => {
      if (given === mine) given = undefined
    })
    const asking = link.ask(
      { t: 'load', request },
      { onProgress: event => event.t === 'progress' && show.loading(event.done) },
    )
    // An engine that is starting has nothing to lose, and ending it is faster than asking it to stop.
    await settledOrAborted(asking, signal)
    if (signal.aborted) {
      await link.end()
      return 'stopped'
    }
    const result = await asking
    if (result.kind === 'loaded') {
      const { loaded } = result
      // Fewer than were allowed may only mean that the machine was busy, which is worth another look the next time.
      if (loaded.threads === loaded.mostThreads) measuredThreads.set(threadsKey(facts), loaded.threads)
      for (const problem of templateProblems(loaded)) report(new Error(`${model.path}: ${problem}`))
      return { link, loaded, notice: plan.notice }
    }
    await link.end()
    if (result.kind === 'stopped') return 'stopped'
    if (result.kind === 'lost') return lostWhileLoading(model, result.how)
    if (result.kind !== 'failed') return lostWhileLoading(model, 'an answer to another question')
    if (!result.cannotRun || isInline) return result.failure
    moveInside(new Error(result.failure.text))
    return attempt(model, signal, show)
  }
  return {
    start: attempt,
    contextTokens(facts) {
      if (given?.path === facts.path) return given.plan.contextTokens
      const plan = planFor(facts, settings, freeBytes() + (given?.plan.estimate?.total ?? 0))
      return isFailure(plan) ? plan : plan.contextTokens
    },
  }
}

/** A file that was replaced is another model. */
const threadsKey = ({ path, sizeBytes }: GgufFacts): string => `${sizeBytes} ${path}`

function templateProblems({ templateProblem, appendOnly }: ReadyModel['loaded']): string[] {
  const rewrites = 'The chat template rewrites earlier turns, so every turn of a chat is read from the start.'
  return [templateProblem, appendOnly ? undefined : rewrites].filter(problem => problem !== undefined)
}

/** What the context holds: the size in the settings, but never more than the model was trained on. */
export const contextSize = ({ trainedTokens }: GgufFacts, wish: number): number =>
  trainedTokens > 0 ? Math.min(trainedTokens, wish) : wish

type Plan = Pick<MemoryPlan, 'contextTokens' | 'sequences' | 'mapFile' | 'notice'> & Partial<MemoryPlan>

function planFor(facts: GgufFacts, settings: EngineSettings, availableBytes: number): Plan | EngineFailure {
  const contextTokens = contextSize(facts, settings.context_tokens)
  // With a graphics card the library itself decides what goes where, and refuses what does not fit.
  return settings.gpu
    ? { contextTokens, sequences: 2, mapFile: true, notice: null }
    : planMemory(facts, contextTokens, availableBytes)
}

const requestFor = (facts: GgufFacts, { threads, gpu }: EngineSettings, plan: Plan): LoadRequest => ({
  path: facts.path,
  contextTokens: plan.contextTokens,
  sequences: plan.sequences,
  mapFile: plan.mapFile,
  threads,
  gpu,
  flashAttention: gpu ? undefined : flashAttention(facts),
  sampling: usualSampling(facts),
  states: undefined,
})

/** The built-in model is exact only when nothing is left to chance; others get what their makers recommend. */
const usualSampling = (facts: GgufFacts): Sampling => (isDemo(facts) ? { temperature: 0 } : facts.sampling)

/** The engine sees no secrets, and does not spend time on a stack trace that nobody reads. */
function engineEnvironment(): NodeJS.ProcessEnv {
  const env = Object.entries(process.env).filter(
    ([name]) => !/KEY|TOKEN|SECRET|PASSWORD|NODE_OPTIONS/i.test(name),
  )
  return { ...Object.fromEntries(env), GGML_NO_BACKTRACE: '1' }
}

const cannotStart: EngineFailure = {
  code: 'internal',
  text: 'The engine for local models does not start on this machine.',
  fix: 'Install Talaria again, or use a model on a server.',
}

function lostWhileLoading({ path }: LocalModel, how: string): EngineFailure {
  if (how === 'SIGKILL') {
    return {
      code: 'engine_gone',
      text: `The engine was ended from outside while it was loading ${path}, probably because memory ran out.`,
      fix: 'Close other programs or choose a smaller model, and try again.',
    }
  }
  return {
    code: 'model_unreadable',
    text: `${path} made the engine stop while it was loading (${how}).`,
    fix: 'The file is probably damaged: download it again, or choose another model.',
  }
}
