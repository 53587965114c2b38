import { entryPath } from '../../lib/places.ts'
import type { SpawnEngine } from '../../host-types.ts'
import { isFailure } from '../engine.ts'
import type { EngineFailure, Sampling } from '../engine.ts'
import { openLink } from './engine-link.ts'
import type { EngineLink } from './engine-link.ts'
import { isDemo } from './demo-model.ts'
import type { GgufFacts } from './gguf-file.ts'
import { startInlineEngine } from './inline-engine.ts'
import { availableMemory, planMemory } from './memory-plan.ts'
import type { LocalModel, ReadyModel, StartModel } from './model-slot.ts'
import type { LoadRequest } from './protocol.ts'
import { settledOrAborted } from './turns.ts'

/** What the settings say about the engine. */
export type EngineSettings = {
  context_tokens: number
  threads: 'auto' | number
  hosting: 'process' | 'inline'
  gpu: boolean
  idle_unload_minutes: number
}

type Parts = {
  spawn: SpawnEngine
  settings: EngineSettings
  read: (path: string, options?: { checkVocabulary?: boolean }) => Promise<GgufFacts | EngineFailure>
  report: (error: unknown) => void
  availableMemory?: () => number
}

/**
 * Make the function that starts an engine and loads a model into it. The engine has a process of its own; where that
 * cannot start, it runs inside this one from then on.
 */
export function createStartModel({ spawn, settings, read, report, ...parts }: Parts): StartModel {
  let { hosting } = settings

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
    const request = planLoad(facts, settings, (parts.availableMemory ?? availableMemory)())
    if (isFailure(request)) return request
    if (signal.aborted) return 'stopped'

    show.hosting(hosting)
    const link = await openEngine()
    if (!link && isInline) return cannotStart
    if (!link) {
      moveInside(new Error('The engine process did not start; the engine runs inside the host from now on.'))
      return attempt(model, signal, show)
    }
    show.loading(0)
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
      for (const problem of templateProblems(result.loaded)) report(new Error(`${model.path}: ${problem}`))
      return { link, loaded: result.loaded } satisfies ReadyModel
    }
    await link.end()
    if (result.kind === 'stopped') return 'stopped'
    if (result.kind === 'lost') return lostWhileLoading(model, result.how)
    if (result.kind !== 'failed') return lostWhileLoading(model, 'an answer to another question')
    if (!result.cannotRun || isInline) return result.failure
    moveInside(new Error(result.failure.text))
    return attempt(model, signal, show)
  }
  return attempt
}

function templateProblems({ templateProblem, appendOnly }: ReadyModel['loaded']): string[] {
  const rewrites = 'The chat template rewrites earlier turns, so every turn of a chat is read from the start.'
  return [templateProblem, appendOnly ? undefined : rewrites].filter(problem => problem !== undefined)
}

/** What the context holds: the size in the settings, but never more than the model was trained on. */
export const contextSize = ({ trainedTokens }: GgufFacts, wish: number): number =>
  trainedTokens > 0 ? Math.min(trainedTokens, wish) : wish

function planLoad(
  facts: GgufFacts,
  settings: EngineSettings,
  availableBytes: number,
): LoadRequest | EngineFailure {
  const contextTokens = contextSize(facts, settings.context_tokens)
  // With a graphics card the library itself decides what goes where, and refuses what does not fit.
  const plan = settings.gpu
    ? { sequences: 2, mapFile: true }
    : planMemory(facts, contextTokens, availableBytes)
  if (isFailure(plan)) return plan
  return {
    path: facts.path,
    contextTokens,
    threads: settings.threads,
    gpu: settings.gpu,
    flashAttention: settings.gpu ? undefined : flashAttention(facts),
    sampling: usualSampling(facts),
    ...plan,
  }
}

/**
 * Whether a processor computes attention in tiles; undefined lets the library choose. With small heads the tiles are
 * half empty, and decoding takes two to three times as long.
 */
export const flashAttention = ({ headSize }: Pick<GgufFacts, 'headSize'>): false | undefined =>
  headSize < 64 ? false : undefined

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
